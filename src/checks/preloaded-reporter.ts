// Asks test runners to name the tests that they run. Some read a variable; vitest and jest read only their arguments,
// so a small file is loaded into every Node program and adds one for those two. A suite with its own reporter keeps it,
// and then only the number of tests is known.
import { lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const wordsOfRunners = `'use strict'
const name = (process.argv[1] || '').split(/[\\\\/]/).pop()
const asked = process.argv.slice(2)
const has = (...flags) => asked.some((word) => flags.some((flag) => word === flag || word.startsWith(flag + '=')))
const add = (flag) => {
  const end = process.argv.indexOf('--')
  process.argv.splice(end < 2 ? process.argv.length : end, 0, flag)
}
if ((name === 'vitest' || name === 'vitest.mjs') && !has('--reporter', 'list', 'init', 'bench')) add('--reporter=verbose')
if ((name === 'jest' || name === 'jest.js') && !has('--reporters', '--json', '--verbose', '--silent', '--listTests')) add('--verbose')
`

const NAME = 'ralph-test-names.cjs'

export interface Preload {
  /** Variables for every program of the run. */
  readonly variables: Readonly<Record<string, string>>
  /** Files that changed since they were written: the run may have loaded something else. */
  changed(): readonly string[]
}

/**
 * Writes the file for one run, into a folder of that run alone. The run learns the path from its environment, so the
 * run and its tests can write there; such a change reaches no other run, and is found when the run is over.
 */
export function preloadIn(folder: string): Preload {
  const path = join(folder, NAME)
  writeFileSync(path, wordsOfRunners, { flag: 'wx', mode: 0o400 })
  const written = stateOf(path)
  return {
    variables: { NODE_OPTIONS: `--require ${JSON.stringify(path)}`, PYTEST_ADDOPTS: '-rpfEsxX', GOFLAGS: '-v' },
    changed: () => (stateOf(path) === written ? [] : [NAME]),
  }
}

/** No program can set back a file's change time, so a file that was changed and restored is found as well. */
function stateOf(path: string): string {
  try {
    const { ino, mode, ctimeNs } = lstatSync(path, { bigint: true })
    return `${ino} ${mode} ${ctimeNs} ${readFileSync(path, 'utf8')}`
  } catch {
    return ''
  }
}
