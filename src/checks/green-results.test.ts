import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CheckRun } from '../core/evidence.ts'
import { openGreenResults } from './green-results.ts'
import { madeFolder } from './made-folder.ts'

const run: CheckRun = {
  name: 'unit',
  kind: 'check',
  checkHash: 'sha256:1',
  argv: ['/bin/sh', '-c', 'npm test'],
  exit: 0,
  how: 'exited',
  durationMs: 5,
  tests: { source: 'vitest', run: 3, failed: 0, skipped: 0 },
  names: null,
  outputDigest: 'sha256:2',
  outputTail: 'é\n',
  report: null,
  cached: false,
}

describe('green results', () => {
  it('are found again by the same key, also by another process, and say that they were kept', async () => {
    const folder = join(await madeFolder(), 'not/there/yet')
    await openGreenResults(folder).keep(['tree', 'check'], run)
    expect(await openGreenResults(folder).find(['tree', 'check'])).toEqual({ ...run, cached: true })
    expect(await openGreenResults(folder).find(['tree', 'other'])).toBeNull()
  })

  it.each<[string, CheckRun]>([
    ['red', { ...run, exit: 1 }],
    ['counted failures', { ...run, tests: { source: 'x', run: 1, failed: 1, skipped: 0 } }],
    ['out of time', { ...run, how: 'timedOut' }],
    ['not needed', { ...run, kind: 'validator', how: 'notNeeded', exit: null }],
  ])('are all that is kept: not what is %s', async (_, other) => {
    const folder = await madeFolder()
    const results = openGreenResults(folder)
    await results.keep('key', other)
    expect([await results.find('key'), await readdir(folder)]).toEqual([null, []])
  })

  it.each<[string, (text: string) => string]>([
    ['cut off', (text) => text.slice(0, 40)],
    ['empty', () => ''],
    ['edited', (text) => text.replace('"run":3', '"run":9')],
    ['turned green by hand', (text) => text.replace('"exit":0', '"exit":00')],
    ['something else', () => 'null'],
  ])('that are %s count as not there', async (_, spoil) => {
    const folder = await madeFolder()
    const results = openGreenResults(folder)
    await results.keep('key', run)
    const [name = ''] = await readdir(folder)
    await writeFile(join(folder, name), spoil(await readFile(join(folder, name), 'utf8')))
    expect(await results.find('key')).toBeNull()
  })

  it('are bounded in number; the oldest go', async () => {
    const folder = await madeFolder()
    const results = openGreenResults(folder, 5)
    for (let at = 0; at < 10; at += 1) {
      await results.keep(at, run)
      const names = await readdir(folder)
      const newest = names.find((name) => !seen.has(name)) ?? ''
      seen.add(newest)
      await utimes(join(folder, newest), at, at)
    }
    expect((await readdir(folder)).length).toBeLessThanOrEqual(6)
    expect([await results.find(0), (await results.find(9))?.cached]).toEqual([null, true])
  })

  const seen = new Set<string>()
})
