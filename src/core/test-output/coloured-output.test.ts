// Checks run with the user's colours, so every reader must ignore them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { versionsSaid } from '../evidence/runner-version.ts'
import { readTests } from './read-tests.ts'

const FOLDER = join(import.meta.dirname, '../../../test/fixtures/runners')

type Paint = (text: string) => string

const paints: Readonly<Record<string, Paint>> = {
  'every word': (text) => text.replace(/\S+/g, (word) => `\u001B[32m${word}\u001B[39m`),
  'every line, in bold and 24 bits': (text) => text.replace(/.+/g, (line) => `\u001B[1;38;2;1;2;3m${line}\u001B[0m`),
  'every line, erased to its end': (text) => text.replace(/.+/g, (line) => `\u001B[31m\u001B[K${line}\u001B[m\u001B[K`),
  'words of a line with more colour than text': (text) =>
    text.replace(/\S+/g, (word) => `${'\u001B[32m'.repeat(200)}${word}\u001B[0m`),
}

function readIn(output: string) {
  return { tests: readTests(output), versions: versionsSaid(output) }
}

describe.each(Object.entries(paints))('coloured: %s', (_, paint) => {
  it.each(readdirSync(FOLDER))('%s', (file) => {
    const output = readFileSync(join(FOLDER, file), 'utf8')
    expect(readIn(paint(output))).toEqual(readIn(output))
  })
})

it('hides nothing: what looks like the start of a title or a link ends with its line', () => {
  const output = readFileSync(join(FOLDER, 'pytest-junit-failed.xml'), 'utf8')
  expect(readTests(`\u001B]0;\n${output}`)).toEqual(readTests(output))
  const lines = readFileSync(join(FOLDER, 'vitest-failed.txt'), 'utf8')
  expect(readTests(`\u001B]0;\n${lines}`)).toEqual(readTests(lines))
})
