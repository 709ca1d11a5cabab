// What is recorded of a real `codex`: each way a session can go, as its stream and its exit tell it.
import { bash } from '../model-server/numbers-story.ts'
import { atFirst, inOrder, type Scenario } from '../model-server/scenario.ts'
import { call, hang, refuse, say, type Turn } from '../model-server/turn.ts'
import { BUSY_FILE, type RecordedCase } from './recorded-cases.ts'

const always =
  (turn: Turn): Scenario =>
  () =>
    turn

const done = say('It is done.\n\nTASK_COMPLETE')
const HOUR_SECONDS = 3600
const BUSY = `touch ${BUSY_FILE}; sleep 60`

export const codexCases: Readonly<Record<string, RecordedCase>> = {
  text: { about: 'says its answer', scenario: always(done) },
  work: {
    about: 'thinks, writes a file, runs a command and is done',
    scenario: inOrder(
      {
        says: [
          { thinking: 'A file is wanted.' },
          { text: 'I write the file.' },
          ...bash("printf 'hello\\n' > hello.txt").says,
        ],
        tokens: { input: 1200, cacheWrite: 300 },
      },
      { ...bash('cat hello.txt'), tokens: { input: 20, cacheRead: 1500 } },
      bash('echo problem >&2; exit 3'),
      done,
    ),
  },
  patch: {
    about: 'changes a file with its own tool for that',
    scenario: inOrder(
      bash("apply_patch <<'END'\n*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch\nEND\n"),
      done,
    ),
  },
  'two-tools': {
    about: 'calls two tools at once',
    scenario: inOrder({ says: [...bash('echo one').says, ...bash('sleep 1; echo two').says] }, done),
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
  auth: { about: '401', scenario: always(refuse('auth')) },
  forbidden: { about: '403', scenario: always(refuse('forbidden')) },
  'rate-limit': {
    about: '429 of a subscription, over in an hour',
    scenario: always(refuse('rateLimit', { resetsInSeconds: HOUR_SECONDS })),
  },
  'rate-limit-late': {
    about: 'the same, after some work',
    scenario: inOrder(bash('echo one'), refuse('rateLimit', { resetsInSeconds: HOUR_SECONDS })),
  },
  'rate-limit-bare': { about: '429 that says nothing more', scenario: always(refuse('rateLimit')) },
  'rate-limit-stream': {
    about: 'a limit in the middle of a stream',
    scenario: always({ ...done, cut: { afterParts: 2, by: 'rateLimit' } }),
  },
  server: { about: '500', scenario: always(refuse('server')) },
  overload: { about: '503', scenario: always(refuse('overload')) },
  'overload-once': { about: '500, then it works', scenario: atFirst(refuse('server'), always(done)) },
  credit: { about: '429, no money left', scenario: always(refuse('credit')) },
  'too-long': { about: '400, the prompt does not fit', scenario: always(refuse('tooLong')) },
  'too-long-stream': {
    about: 'the same, in the middle of a stream',
    scenario: always({ ...done, cut: { afterParts: 2, by: 'tooLong' } }),
  },
  'unknown-model': { about: '404', scenario: always(refuse('unknownModel')) },
  length: {
    about: 'stops at the length of an answer',
    scenario: always({ ...say('I was going to'), stops: 'length' }),
  },
  refusal: { about: 'the model refuses', scenario: always({ ...say('No.'), stops: 'refusal' }) },
  'drop-once': {
    about: 'the stream breaks off once',
    scenario: atFirst({ ...done, cut: { afterParts: 3, by: 'drop' } }, always(done)),
  },
  drop: { about: 'every connection breaks off', scenario: always({ ...done, cut: { afterParts: 0, by: 'drop' } }) },
  unreachable: {
    about: 'nobody listens, for which it waits without end',
    scenario: always(done),
    unreachable: true,
    stop: { signal: 'SIGTERM', during: 'offline' },
  },
  'unknown-option': { about: 'an option that is not there', scenario: always(done), args: ['--not-there'] },
  'bad-setting': {
    about: 'a setting that makes no sense',
    scenario: always(done),
    args: ['-c', 'sandbox_mode="nonsense"'],
  },
  terminated: {
    about: 'SIGTERM while a tool runs',
    scenario: inOrder(bash(BUSY), hang),
    stop: { signal: 'SIGTERM', during: 'tool' },
  },
  killed: {
    about: 'SIGKILL while it waits for the model',
    scenario: inOrder(bash('echo one'), hang),
    stop: { signal: 'SIGKILL', during: 'model' },
  },
}
