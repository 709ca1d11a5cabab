import { describe, expect, it } from 'vitest'
import { NOTHING_CAPTURED } from '../system/process/head-tail-buffer.ts'
import { type Ended, NOTHING_RAN } from '../system/process/ended.ts'
import type { Call, Failure, Result } from './agent.ts'
import { NOTHING_USED } from './agent.ts'
import { failureOf } from './program-failure.ts'

const bounds = { timeoutMs: 1_200_000, idleTimeoutMs: 90_500 }
const ran = (call: Call) => ({ name: 'claude', call, folder: '/' })

function speaking(result: Result | null): Call {
  return { argv: ['x'], reader: { line: () => [], usage: () => NOTHING_USED, result: () => result } }
}

const text: Call = { argv: ['x'] }
const silent = speaking(null)
const done = speaking({ finalMessage: 'done' })
const limited: Failure = { kind: 'rateLimit', sentence: 'come back at 5', until: 5 }
const failed = speaking({ failure: limited })

const printed = (words: string) => ({ ...NOTHING_CAPTURED, head: Buffer.from(words), totalBytes: words.length })
const exited = (code: number, stderr = '', stdout = ''): Ended => ({
  ...NOTHING_RAN,
  how: 'exited',
  code,
  stderr: printed(stderr),
  stdout: printed(stdout),
})
const signalled = (signal: NodeJS.Signals, stderr = ''): Ended => ({
  ...NOTHING_RAN,
  how: 'signalled',
  signal,
  stderr: printed(stderr),
  stdout: printed('working'),
})
/** As V8 prints it: why, and then where it was. */
const HEAP = [
  '<--- Last few GCs --->',
  'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
  '----- Native stack trace -----',
  ' 1: 0xb82c78 node::OOMErrorHandler [node]',
].join('\n')
const ended = (how: 'deadline' | 'idle' | 'aborted' | 'flooded' | 'lingered', code = 0): Ended => ({
  ...NOTHING_RAN,
  how,
  code,
})
const unstarted = (errno: string): Ended => ({ ...NOTHING_RAN, how: 'notStarted', errno, sentence: `because ${errno}` })

describe('what the end of a program means', () => {
  it.each<[string, Ended, Call, Failure['kind'] | null, string]>([
    ['exit 0, text', exited(0), text, null, ''],
    ['exit 0, result', exited(0), done, null, ''],
    ['exit 0, no result', exited(0), silent, 'badOutput', 'claude ended without saying its result'],
    ['exit 0, failure said', exited(0), failed, 'rateLimit', 'come back at 5'],
    ['exit 1, failure said', exited(1), failed, 'rateLimit', 'come back at 5'],
    ['exit 1, result', exited(1), done, 'crashed', 'claude ended with exit code 1 and said nothing on stderr'],
    [
      'exit 2, words',
      exited(2, 'a\nno key \u001B[31mset\n \n'),
      text,
      'crashed',
      'claude ended with exit code 2: no key set',
    ],
    [
      'exit 1, words on stdout only',
      exited(1, '', 'hello\nAPI Error: 400 tool_use ids must be unique\n'),
      text,
      'crashed',
      'claude ended with exit code 1; the last it printed: API Error: 400 tool_use ids must be unique',
    ],
    ['a signal', signalled('SIGSEGV'), text, 'crashed', 'claude was killed by signal 11 (SIGSEGV)'],
    ['killed', signalled('SIGKILL'), text, 'crashed', 'claude was killed by signal 9 (SIGKILL; out of memory?)'],
    [
      'no memory for its own heap',
      signalled('SIGABRT', HEAP),
      done,
      'crashed',
      'claude was killed by signal 6 (SIGABRT): FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    ],
    [
      'killed below a shell',
      exited(137),
      text,
      'crashed',
      'claude ended with exit code 137 (SIGKILL; out of memory?) and said nothing on stderr',
    ],
    [
      'a panic',
      exited(101, "thread 'main' panicked at src/main.rs:3:5:\nnote: run with `RUST_BACKTRACE=1`"),
      text,
      'crashed',
      "claude ended with exit code 101: thread 'main' panicked at src/main.rs:3:5:",
    ],
    [
      'an exception',
      exited(1, 'TypeError: x is not a function\n    at run (/a.js:1:2)\n\nNode.js v24.0.0\n'),
      text,
      'crashed',
      'claude ended with exit code 1: TypeError: x is not a function',
    ],
    [
      'garbage in place of records',
      exited(0, '', '{"type":"init"}\n<html>502 Bad Gateway</html>\n'),
      silent,
      'badOutput',
      'claude ended without saying its result; the last it printed: <html>502 Bad Gateway</html>',
    ],
    [
      'records without an end',
      exited(0, 'socket hang up\n', '{"type":"init"}\n'),
      silent,
      'badOutput',
      'claude ended without saying its result; the last it printed: socket hang up',
    ],
    ['our deadline', ended('deadline'), done, 'timedOut', 'claude was not done after 20 min and was stopped'],
    ['our idle clock', ended('idle'), text, 'idle', 'claude said nothing for 90.5 s and was stopped'],
    ['our stop, exit 0', ended('aborted'), done, 'killed', 'claude was stopped before it was done'],
    ['our stop, failure said', ended('aborted'), failed, 'killed', 'claude was stopped before it was done'],
    ['our cap', ended('flooded'), text, 'badOutput', 'claude printed without end and was stopped'],
    ['our end after the result', ended('lingered', 143), done, null, ''],
    ['our end after a failure', ended('lingered', 143), failed, 'rateLimit', 'come back at 5'],
    ['no program', unstarted('ENOENT'), text, 'notFound', 'because ENOENT'],
    ['no right to it', unstarted('EACCES'), text, 'notFound', 'because EACCES'],
    ['a prompt too long for a command line', unstarted('E2BIG'), text, 'contextTooLong', 'because E2BIG'],
    ['no room for a process', unstarted('EAGAIN'), text, 'overload', 'because EAGAIN'],
    ['no descriptor', unstarted('EMFILE'), text, 'overload', 'because EMFILE'],
    ['anything else', unstarted('ENOEXEC'), text, 'crashed', 'because ENOEXEC'],
  ])('%s', (_, end, call, kind, sentence) => {
    const failure = failureOf(end, ran(call), bounds)
    expect(failure === null ? null : { kind: failure.kind, sentence: failure.sentence }).toEqual(
      kind === null ? null : { kind, sentence },
    )
  })

  it('is not that the program is missing where the folder is', () => {
    const elsewhere = { ...ran(text), folder: '/nonexistent' }
    expect(failureOf(unstarted('ENOENT'), elsewhere, bounds)?.kind).toBe('crashed')
  })

  it('quotes no more than a line can hold', () => {
    const failure = failureOf(exited(1, 'x'.repeat(100_000)), ran(text), bounds)
    expect(failure?.sentence).toBe(`claude ended with exit code 1: ${'x'.repeat(300)}`)
  })
})
