import { describe, expect, it } from 'vitest'
import { causeLines } from './cause-lines.ts'

describe('the lines that say why a command failed', () => {
  it('of npm: the head, without its usage', () => {
    const output = [
      'npm warn Unknown user config "x".',
      'npm error code EUSAGE',
      'npm error',
      'npm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.',
      'npm error',
      'npm error Missing: x@1.0.0 from lock file',
      'npm error',
      'npm error Clean install a project',
      'npm error',
      'npm error Usage:',
      'npm error npm ci',
      ...Array.from({ length: 200 }, (_, at) => `npm error   --option-${at}`),
      'npm error A complete log of this run can be found in: /tmp/x.log',
      '',
    ]
    expect(causeLines(output.join('\n'))).toEqual([
      'npm error code EUSAGE',
      'npm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.',
      'npm error Missing: x@1.0.0 from lock file',
    ])
  })

  it.each<[string, string, readonly string[]]>([
    ['nothing', '', []],
    [
      'what comes before it is left out',
      'Collecting x\nERROR: No matching distribution\n',
      ['ERROR: No matching distribution'],
    ],
    ['a shell', '> test\n> vitst run\n\nsh: 1: vitst: not found\n', ['sh: 1: vitst: not found']],
    ['no word of it: the end', 'one\ntwo\n', ['one', 'two']],
    ['no stack', 'TypeError: x\n    at f (a.js:1:1)\n    at g (a.js:2:1)\n', ['TypeError: x']],
  ])('%s', (_, output, lines) => {
    expect(causeLines(output)).toEqual(lines)
  })

  it('at most eight, none of them endless', () => {
    const lines = causeLines(`error: ${'x'.repeat(1_000)}\n${'again an error\n'.repeat(50)}`)
    expect([lines.length, lines[0]?.length]).toEqual([8, 301])
  })
})
