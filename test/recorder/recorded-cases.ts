// What is recorded of a real `claude`: each way a session can go, as its stream and its exit tell it.
import { inOrder, type Scenario, atFirst } from '../model-server/scenario.ts'
import type { Login } from '../real-agents/claude-environment.ts'
import { call, hang, refuse, say, type Turn } from '../model-server/turn.ts'

export interface RecordedCase {
  readonly about: string
  readonly scenario: Scenario
  readonly prompt?: string
  /** Added to the usual ones. */
  readonly args?: readonly string[]
  /** Sent while its tool runs, while it waits for an answer that does not come, or when it said thrice that nobody is there. */
  readonly stop?: { readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'; readonly during: 'tool' | 'model' | 'offline' }
  /** In a repository with one task, and with the MCP server of Ralph. */
  readonly withRalph?: true
  /** The model cannot be reached at all. */
  readonly unreachable?: true
  /** Else it has an API key. */
  readonly login?: Login
}

const always =
  (turn: Turn): Scenario =>
  () =>
    turn

const bash = (command: string): Turn => call('Bash', { command, description: 'A step' })
const done = say('It is done.\n\nTASK_COMPLETE')
const HOUR_SECONDS = 3600
/** Made by a tool that is still at work when the signal comes; a bare `sleep` is refused by the tool itself. */
export const BUSY_FILE = 'busy'
const BUSY = `touch ${BUSY_FILE}; node -e 'setTimeout(() => {}, 60000)'`

export const recordedCases: Readonly<Record<string, RecordedCase>> = {
  text: { about: 'says its answer', scenario: always(done) },
  work: {
    about: 'thinks, writes a file, runs a command and is done',
    scenario: inOrder(
      {
        says: [
          { thinking: 'A file is wanted.' },
          { text: 'I write the file.' },
          { call: 'Write', input: { file_path: '/workspace/hello.txt', content: 'hello\n' } },
        ],
        tokens: { input: 1200, cacheWrite: 300 },
      },
      { ...bash('echo hello > hello.txt && cat hello.txt'), tokens: { input: 20, cacheRead: 1500 } },
      bash('echo problem >&2; exit 3'),
      done,
    ),
  },
  'two-tools': {
    about: 'calls two tools at once',
    scenario: inOrder({ says: [...sayings(bash('echo one')), ...sayings(bash('sleep 1; echo two'))] }, done),
  },
  mcp: {
    about: 'calls tools of Ralph, and one that is refused',
    scenario: inOrder(
      call('mcp__ralph__task_peek', {}),
      call('mcp__ralph__write_scratchpad', { done: 'a', testStatus: 'b', nextStep: 'c', blockers: 'd' }),
      done,
    ),
    withRalph: true,
  },
  unicode: {
    about: 'says what is not ASCII',
    scenario: always(say('é ✓ 🐙 \u2028 "quoted" \\ \u0007\n\nITERATION_DONE')),
  },
  empty: { about: 'says nothing', scenario: always({ says: [] }) },
  denied: {
    about: 'is refused a tool and goes on',
    scenario: inOrder(call('WebFetch', { url: 'http://127.0.0.1/', prompt: 'read' }), done),
  },
  auth: { about: '401', scenario: always(refuse('auth')) },
  'logged-out': { about: 'no key and no login', scenario: always(done), login: 'none' },
  forbidden: { about: '403', scenario: always(refuse('forbidden')) },
  'rate-limit': {
    about: '429 of a subscription, over in an hour',
    scenario: always(refuse('rateLimit', { resetsInSeconds: HOUR_SECONDS })),
    login: 'subscription',
  },
  'rate-limit-late': {
    about: 'the same, after some work',
    scenario: inOrder(bash('echo one'), refuse('rateLimit', { resetsInSeconds: HOUR_SECONDS })),
    login: 'subscription',
  },
  'rate-limit-key': {
    about: '429 of an API key, over in an hour, which the stream does not tell',
    scenario: always(refuse('rateLimit', { resetsInSeconds: HOUR_SECONDS })),
  },
  'rate-limit-bare': { about: '429 that says nothing more', scenario: always(refuse('rateLimit')) },
  server: { about: '500', scenario: always(refuse('server')) },
  overload: { about: '529', scenario: always(refuse('overload')) },
  'overload-once': { about: '529, then it works', scenario: atFirst(refuse('overload'), always(done)) },
  credit: { about: '400, no money left', scenario: always(refuse('credit')) },
  'too-long': { about: '400, the prompt does not fit', scenario: always(refuse('tooLong')) },
  'unknown-model': { about: '404', scenario: always(refuse('unknownModel')) },
  length: {
    about: 'stops at the length of an answer',
    scenario: always({ ...say('I was going to'), stops: 'length' }),
  },
  refusal: { about: 'the model refuses', scenario: always({ ...say('No.'), stops: 'refusal' }) },
  'drop-once': {
    about: 'the stream breaks off once',
    scenario: atFirst({ ...done, cut: { afterParts: 4, by: 'drop' } }, always(done)),
  },
  drop: { about: 'every connection breaks off', scenario: always({ ...done, cut: { afterParts: 0, by: 'drop' } }) },
  unreachable: { about: 'nobody listens', scenario: always(done), unreachable: true },
  'max-turns': {
    about: 'is stopped after two turns',
    scenario: always(bash('echo again')),
    args: ['--max-turns', '2'],
  },
  budget: {
    about: 'is stopped at a cent',
    scenario: always({ ...bash('echo again'), tokens: { input: 100_000 } }),
    args: ['--max-budget-usd', '0.01'],
  },
  'unknown-command': { about: 'a slash command that is not there', scenario: always(done), prompt: '/not-there now' },
  interrupted: {
    about: 'SIGINT while a tool runs',
    scenario: inOrder(bash(BUSY), hang),
    stop: { signal: 'SIGINT', during: 'tool' },
  },
  terminated: {
    about: 'SIGTERM while a tool runs',
    scenario: inOrder(bash(BUSY), hang),
    stop: { signal: 'SIGTERM', during: 'tool' },
  },
  'terminated-waiting': {
    about: 'SIGTERM while it waits for the model',
    scenario: inOrder(bash('echo one'), hang),
    stop: { signal: 'SIGTERM', during: 'model' },
  },
  killed: {
    about: 'SIGKILL while it waits for the model',
    scenario: inOrder(bash('echo one'), hang),
    stop: { signal: 'SIGKILL', during: 'model' },
  },
}

function sayings(turn: Turn): readonly Extract<Turn, { says: unknown }>['says'][number][] {
  return 'says' in turn ? turn.says : []
}
