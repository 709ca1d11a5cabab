// Test runners are asked to name the tests they run. Some take that from a variable; vitest and jest only from their
// arguments, so a few lines are loaded into every Node program and add one to those two. Whoever asks for a reporter of
// their own keeps it, and then only the number of tests is known.
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
  /** Of every program that the run starts. */
  readonly variables: Readonly<Record<string, string>>
  /** What of it is not as it was written: then whatever was loaded by the run may have been something else. */
  changed(): readonly string[]
}

/**
 * Written anew for each run, into a folder of that run alone, whose path the run learns from its environment: it can write
 * there, and so can its tests. What it writes reaches no other run, and is seen when it is over.
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

/** A file's change time cannot be set back, so one that was changed and put right again is seen as well. */
function stateOf(path: string): string {
  try {
    const { ino, mode, ctimeNs } = lstatSync(path, { bigint: true })
    return `${ino} ${mode} ${ctimeNs} ${readFileSync(path, 'utf8')}`
  } catch {
    return ''
  }
}
