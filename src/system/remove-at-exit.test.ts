import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'ralph-exit-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

it.each([
  ['ends', '', false],
  ['fails', 'process.exit(1)', false],
  ['throws', "throw new Error('crash')", false],
  ['is killed', "process.kill(process.pid, 'SIGKILL')", true],
])('of a process that %s', (_, then, isLeft) => {
  const left = join(folder, 'left')
  writeFileSync(left, '')
  const part = JSON.stringify(join(import.meta.dirname, 'remove-at-exit.ts'))
  const program = `const { removeAtExit } = await import(${part}); removeAtExit(${JSON.stringify(left)}); ${then}`
  spawnSync(execPath, ['--input-type=module', '--eval', program], { stdio: 'ignore' })
  expect(existsSync(left)).toBe(isLeft)
})
