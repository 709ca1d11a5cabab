// Test runners are asked to name the tests they run. Some take that from a variable; vitest and jest only from their
// arguments, so a few lines are loaded into every Node program and add one to those two. Whoever asks for a reporter of
// their own keeps it, and then only the number of tests is known.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf } from './digest.ts'
import { isThere, writeWhole } from './folders.ts'

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

/** Written once; the variables that make runners name their tests. */
export async function namingVariables(folder: string): Promise<Readonly<Record<string, string>>> {
  const path = join(folder, `witness-${digestOf([wordsOfRunners]).slice(-12)}.cjs`)
  if (!(await isThere(path))) {
    await mkdir(folder, { recursive: true })
    await writeWhole(path, wordsOfRunners)
  }
  return {
    NODE_OPTIONS: `--require ${JSON.stringify(path)}`,
    PYTEST_ADDOPTS: '-rpfEsxX',
    GOFLAGS: '-v',
  }
}
