/** What the files of one run know. */
export interface ChannelTerms {
  /** The file that they write to. */
  readonly log: string
  /** In every line that they write. */
  readonly nonce: string
  /** What the engine put into NODE_OPTIONS, and the part of it that loads the preloaded file. */
  readonly options: string
  readonly preload: string
  /** Of the reporters, for the arguments of the runners. */
  readonly reporters: {
    readonly nodeTest: readonly string[]
    /** Whether `options` names it; no version before Node 20 allows that. */
    readonly isInEnvironment: boolean
    readonly vitest: string
    readonly jest: string
    readonly mocha: string
  }
  /** The checkout, and paths in it of the test files to narrow the run to; none: the whole run. */
  readonly folder: string
  readonly only: readonly string[]
  /** The run ends at its first failed test. */
  readonly stop: boolean
}

/**
 * For every reporter in JavaScript: `say(event, outcome, name)` writes one line. The functions are taken at once, so
 * that a test that replaces those of `fs` does not replace them here.
 */
export function withTerms(terms: ChannelTerms, runner: string, program: string): string {
  return `'use strict'
const terms = ${JSON.stringify(terms)}
const { appendFileSync: write } = require('node:fs')
const { pid } = process
const text = JSON.stringify
const say = (event, outcome, name) => {
  try {
    write(terms.log, text({ n: terms.nonce, p: pid, r: ${JSON.stringify(runner)}, e: event, o: outcome, t: name }) + '\\n')
  } catch {}
}
${program}`
}
