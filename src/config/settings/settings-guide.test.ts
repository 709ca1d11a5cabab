// The page with every setting: its file is one that Ralph reads, says the defaults, and leaves out no key.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { allKeys } from './layer.ts'
import { loadConfig } from './load.ts'

const page = readFileSync(new URL('../../../docs/guide/settings.md', import.meta.url), 'utf8')
const file = /```toml\n([^]*?)```/.exec(page)?.[1] ?? ''

it('the file of the page has the defaults', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const plain = await loadConfig({ folder, env: {} })
  // Details need the check that they are of.
  writeFileSync(join(folder, 'ralph.toml'), file.replace('# unit =', 'unit ='))
  const { checks, ...written } = await loadConfig({ folder, env: {} })
  expect(checks).toEqual([{ name: 'unit', command: 'npm test', timeoutMs: 600_000, cwd: '.' }])
  expect({ ...written, checks: [], hash: '', origins: {} }).toEqual({ ...plain, hash: '', origins: {} })
})

it('the page leaves out no key', () => {
  const named = new Set(namedIn(file))
  // What agents have in common stands once.
  const wanted = [...allKeys.values()].filter(({ path, key }) => isOwn(path) && key.onlyFor === undefined)
  const keys = wanted.map(({ path }) => path.slice(0, path[0] === 'agent' ? 3 : 2).join('.'))
  expect(keys.filter((key) => !named.has(key))).toEqual([])
})

const COMMON = ['command', 'model', 'timeout', 'idle_timeout', 'args', 'env', 'credentials', 'tools']

function isOwn([section, agent = '', key = '']: readonly string[]): boolean {
  return section !== 'agent' || agent === 'claude' || !COMMON.includes(key)
}

function namedIn(text: string): string[] {
  let section = ''
  return text.split('\n').flatMap((line) => {
    section = /^\[(.+?)\]/.exec(line)?.[1] ?? section
    const key = /^(?:# )?(\w+) =/.exec(line)?.[1]
    return key === undefined ? [] : [`${section}.${key}`]
  })
}
