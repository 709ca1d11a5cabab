// With the machine's own npm; a dependency by folder needs no network.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { TreeId } from '../../core/values/id.ts'
import { openChecks } from '../checks.ts'
import { namesIn } from '../../system/files.ts'
import { madeFolder } from '../../../test/rig/folder.ts'
import { setupOf } from '../../../test/rig/setup.ts'
import { HANG_MS } from '../../../test/rig/hang.ts'

const files = {
  'package.json': '{"name":"app","version":"1.0.0","dependencies":{"lib":"file:lib"}}',
  'package-lock.json': JSON.stringify({
    name: 'app',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: {
      '': { name: 'app', version: '1.0.0', dependencies: { lib: 'file:lib' } },
      lib: { version: '1.0.0', hasInstallScript: true },
      'node_modules/lib': { resolved: 'lib', link: true },
    },
  }),
  'lib/package.json': '{"name":"lib","version":"1.0.0","scripts":{"postinstall":"echo ran >> \\"$HOME/scripts\\""}}',
}

const homes = { command: 'cat "$HOME/scripts"; ls -A "$HOME"', name: 'unit', kind: 'check', cwd: '.' } as const

async function installed(...modes: readonly ('run' | 'off')[]): Promise<string[]> {
  const root = await madeFolder()
  const checks = openChecks({ cacheFolder: join(root, 'cache'), env: { PATH: process.env['PATH'] } })
  const said: string[] = []
  for (const mode of modes) {
    const checkout = { folder: await madeFolder(files), tree: 'tree' as TreeId }
    const prepared = await checks.prepare(checkout, setupOf('npm ci', mode))
    expect(prepared).toEqual({ ok: true })
    const run = await checks.run(checkout, { ...homes, timeoutMs: HANG_MS }, [])
    said.push(`${mode}: ${run.outputTail.split('\n')[0]}`)
    expect(await readFile(join(checkout.folder, 'node_modules/lib/package.json'), 'utf8')).toBe(
      files['lib/package.json'],
    )
    expect(run.outputTail).not.toContain('.npmrc')
    await checks.release(checkout)
  }
  const setupCache = await namesIn(join(root, 'cache/outfits'))
  return [...said, `${setupCache.length} installs`]
}

it.each([
  [['run'], ['run: ran', '1 installs']],
  [['off'], [expect.stringMatching(/^off: cat: .*No such file/), '1 installs']],
  // The one is never taken for the other, whichever came first.
  [
    ['run', 'off'],
    ['run: ran', expect.stringMatching(/^off: cat: .*No such file/), '2 installs'],
  ],
  [
    ['off', 'run'],
    [expect.stringMatching(/^off: cat: .*No such file/), 'run: ran', '2 installs'],
  ],
] as const)('npm with install scripts %j', async (modes, expected) => {
  expect(await installed(...modes)).toEqual(expected)
})
