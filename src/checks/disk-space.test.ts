import { spawnSync } from 'node:child_process'
import { expect, it, onTestFinished } from 'vitest'
import { endingOf } from '../core/evidence/run-ending.ts'
import { ranOutOfSpace } from './disk-space.ts'
import { madeFolder } from '../../test/rig/folder.ts'
import { runCheck } from './run-check.ts'
import { HANG_MS } from '../../test/rig/hang.ts'

const place = { home: null, user: process.env, signal: undefined }
const check = { name: 'unit', kind: 'check', cwd: '.', timeoutMs: HANG_MS } as const

it('a check that fills a disk is stopped by the machine, not by its tests', async ({ skip }) => {
  if (process.platform !== 'linux') return skip('only Linux has tmpfs')
  const folder = await madeFolder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', folder], { encoding: 'utf8' })
  if (mounted.status !== 0) return skip(`tmpfs cannot be mounted: ${mounted.error?.message ?? mounted.stderr}`)
  onTestFinished(() => void spawnSync('umount', [folder]))
  const run = await runCheck({ ...check, command: 'head -c 30000000 /dev/zero > big' }, [], { ...place, folder })
  expect(run).toMatchObject({ how: 'exited', exit: 1, noSpace: true })
  expect(endingOf(run)).toBe('infrastructure')
})

it('a test that only says so is red like any other', async () => {
  const folder = await madeFolder()
  const command = 'echo "Error: ENOSPC: no space left on device" >&2; exit 1'
  const run = await runCheck({ ...check, command }, [], { ...place, folder })
  expect(run).toMatchObject({ how: 'exited', exit: 1 })
  expect(run.noSpace).toBeUndefined()
  expect(endingOf(run)).toBe('failed')
})

it('a folder that is gone is not full', () => {
  expect(ranOutOfSpace('ENOSPC', ['/not/there'])).toBe(false)
})
