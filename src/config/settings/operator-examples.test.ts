import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { loadConfig } from './load.ts'

function place(toml: string): { readonly folder: string; readonly home: string } {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-sealed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const home = join(folder, 'home')
  mkdirSync(home)
  writeFileSync(join(folder, 'ralph.toml'), toml)
  return { folder, home }
}

const call = { module: 'a.js', name: 'f', args: [1], returns: 2 }
const read = [{ call: { module: 'a.js', name: 'f', args: [1], expects: { returns: 2 } } }]

it('come from a file in the home of the user, and from ralph.toml', async () => {
  const { folder, home } = place(`[sealed]
file = "~/examples.json"
[sealed.one]
examples = ['{"call": {"module": "a.js", "name": "f", "args": [1], "returns": 2}}']
[sealed."T 2".x]
`)
  // A table that no task has a form for is refused, as everywhere.
  await expect(loadConfig({ folder, env: { HOME: home } })).rejects.toThrow('unknown key \'sealed."T 2".x\'')
  writeFileSync(
    join(folder, 'ralph.toml'),
    `[sealed]
file = "~/examples.json"
[sealed.one]
examples = ['{"call": {"module": "a.js", "name": "f", "args": [1], "returns": 2}}']
`,
  )
  writeFileSync(join(home, 'examples.json'), JSON.stringify({ one: [], two: [{ call }] }))
  const { examples } = await loadConfig({ folder, env: { HOME: home } })
  expect(examples).toEqual({ one: { list: read, from: 'settings' }, two: { list: read, from: 'file' } })
})

it('change the hash of the settings, so that a build keeps those it was started with', async () => {
  const { folder, home } = place('[sealed]\nfile = "~/examples.json"\n')
  const hashes = []
  for (const returns of [1, 2]) {
    writeFileSync(join(home, 'examples.json'), JSON.stringify({ two: [{ call: { ...call, returns } }] }))
    hashes.push((await loadConfig({ folder, env: { HOME: home } })).hash)
  }
  expect(hashes[0]).not.toBe(hashes[1])
})

it.each<[string, string | null, string]>([
  ['no file', null, 'sealed.file: ~/examples.json cannot be read: no such file or folder'],
  ['no JSON', '{', 'sealed.file: ~/examples.json is no valid JSON'],
  ['a list', '[]', 'sealed.file: ~/examples.json must hold an object that names tasks, each with a list of examples'],
  [
    'a bad example',
    '{"t": [{"call": {"args": "CANARY"}}]}',
    "sealed.file: ~/examples.json is refused: task 't': example 1: 'module' must be the path of a file in the project",
  ],
  [
    'a long file',
    `"${'x'.repeat(1024 * 1024)}"`,
    'sealed.file: ~/examples.json is longer than 1048576 bytes or no plain file',
  ],
])('are refused with one sentence: %s', async (_, text, problem) => {
  const { folder, home } = place('[sealed]\nfile = "~/examples.json"\n')
  if (text !== null) writeFileSync(join(home, 'examples.json'), text)
  await expect(loadConfig({ folder, env: { HOME: home } })).rejects.toMatchObject({
    code: 'CONFIG_BAD',
    message: expect.stringContaining(problem),
  })
})

it('are read from a plain file only', async () => {
  const { folder, home } = place('[sealed]\nfile = "/dev/zero"\n')
  await expect(loadConfig({ folder, env: { HOME: home } })).rejects.toThrow('or no plain file')
})

it('in ralph.toml are refused with the line', async () => {
  const { folder } = place('[sealed.one]\nexamples = [{ call = { module = "../a.js" } }]\n')
  await expect(loadConfig({ folder })).rejects.toThrow(
    "ralph.toml line 2: sealed.one.examples is refused: example 1: 'module' must be the path of a file in the project",
  )
})
