import { describe, expect, it } from 'vitest'
import { NOTHING_CAPTURED } from '../process/captured.ts'
import { type Ended, NOTHING_RAN } from '../process/ended.ts'
import type { Call, Failure, Result, Session } from './agent.ts'
import { NOTHING_USED } from './agent.ts'
import { failureOf } from './program-failure.ts'

const bounds = { timeoutMs: 1_200_000, idleTimeoutMs: 90_500 }
const session: Session = {
  role: 'implementer',
  prompt: '',
  folder: '/',
  task: null,
  attempt: 1,
  iteration: 1,
  env: {},
  signal: new AbortController().signal,
  onEvent: () => {},
}

function speaking(result: Result | null): Call {
  return { argv: ['x'], reader: { line: () => [], usage: () => NOTHING_USED, result: () => result } }
}

const text: Call = { argv: ['x'] }
const silent = speaking(null)
const done = speaking({ finalMessage: 'done' })
const limited: Failure = { kind: 'rateLimit', sentence: 'come back at 5', until: 5 }
const failed = speaking({ failure: limited })

const exited = (code: number, stderr = ''): Ended => ({
  ...NOTHING_RAN,
  how: 'exited',
  code,
  stderr: { ...NOTHING_CAPTURED, head: Buffer.from(stderr), totalBytes: stderr.length },
})
const signalled: Ended = { ...NOTHING_RAN, how: 'signalled', signal: 'SIGSEGV' }
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
    ['exit 0, no result', exited(0), silent, 'badOutput', 'the agent ended without saying its result'],
    ['exit 0, failure said', exited(0), failed, 'rateLimit', 'come back at 5'],
    ['exit 1, failure said', exited(1), failed, 'rateLimit', 'come back at 5'],
    ['exit 1, result', exited(1), done, 'crashed', 'the agent ended with exit code 1 and said nothing on stderr'],
    [
      'exit 2, words',
      exited(2, 'a\nno key \u001B[31mset\n \n'),
      text,
      'crashed',
      'the agent ended with exit code 2: no key set',
    ],
    ['a signal', signalled, text, 'crashed', 'the agent ended by SIGSEGV and said nothing on stderr'],
    ['our deadline', ended('deadline'), done, 'timedOut', 'the agent was not done after 1200 s and was stopped'],
    ['our idle clock', ended('idle'), text, 'idle', 'the agent said nothing for 90.5 s and was stopped'],
    ['our stop, exit 0', ended('aborted'), done, 'killed', 'the agent was stopped before it was done'],
    ['our stop, failure said', ended('aborted'), failed, 'killed', 'the agent was stopped before it was done'],
    ['our cap', ended('flooded'), text, 'badOutput', 'the agent printed without end and was stopped'],
    ['our end after the result', ended('lingered', 143), done, null, ''],
    ['our end after a failure', ended('lingered', 143), failed, 'rateLimit', 'come back at 5'],
    ['no program', unstarted('ENOENT'), text, 'notFound', 'because ENOENT'],
    ['no right to it', unstarted('EACCES'), text, 'notFound', 'because EACCES'],
    ['a prompt too long for a command line', unstarted('E2BIG'), text, 'contextTooLong', 'because E2BIG'],
    ['no room for a process', unstarted('EAGAIN'), text, 'overload', 'because EAGAIN'],
    ['no descriptor', unstarted('EMFILE'), text, 'overload', 'because EMFILE'],
    ['anything else', unstarted('ENOEXEC'), text, 'crashed', 'because ENOEXEC'],
  ])('%s', (_, end, call, kind, sentence) => {
    const failure = failureOf(end, call, session, bounds)
    expect(failure === null ? null : { kind: failure.kind, sentence: failure.sentence }).toEqual(
      kind === null ? null : { kind, sentence },
    )
  })

  it('is not that the program is missing where the folder is', () => {
    const elsewhere = { ...session, folder: '/nonexistent' }
    expect(failureOf(unstarted('ENOENT'), text, elsewhere, bounds)?.kind).toBe('crashed')
  })

  it('quotes no more than a line can hold', () => {
    const failure = failureOf(exited(1, 'x'.repeat(100_000)), text, session, bounds)
    expect(failure?.sentence).toBe(`the agent ended with exit code 1: ${'x'.repeat(300)}`)
  })
})
