// The recorded cases of `gemini` and `opencode`: each way a session can go, in the tools of Claude Code (see
// model-server/foreign-tools.ts).
import { bash } from '../model-server/numbers-story.ts'
import { inOrder, type Scenario } from '../model-server/scenario.ts'
import { call, refuse, say, type Turn } from '../model-server/turn.ts'

export const RECORDED_AGENTS = ['gemini', 'opencode'] as const
export type RecordedAgent = (typeof RECORDED_AGENTS)[number]

const always =
  (turn: Turn): Scenario =>
  () =>
    turn

const done = say('It is done.\n\nTASK_COMPLETE')

export const otherCases: Readonly<Record<string, Scenario>> = {
  text: always(done),
  work: inOrder(
    {
      says: [
        { thinking: 'A file is wanted.' },
        { text: 'I write the file.' },
        { call: 'Write', input: { file_path: '/workspace/hello.txt', content: 'hello\n' } },
      ],
      tokens: { input: 1200, cacheRead: 300 },
    },
    bash('echo problem >&2; exit 3'),
    call('mcp__ralph__write_scratchpad', { done: 'a', testStatus: 'b', nextStep: 'c', blockers: 'd' }),
    done,
  ),
  unicode: always(say('é ✓ 🐙 \u2028 "quoted" \\ \u0007\n\nITERATION_DONE')),
  empty: always({ says: [] }),
  auth: always(refuse('auth')),
  forbidden: always(refuse('forbidden')),
  'rate-limit': always(refuse('rateLimit', { resetsInSeconds: 3600 })),
  server: always(refuse('server')),
  credit: always(refuse('credit')),
  'too-long': always(refuse('tooLong')),
  'unknown-model': always(refuse('unknownModel')),
  length: always({ ...say('I was going to'), stops: 'length' }),
  drop: always({ ...done, cut: { afterParts: 0, by: 'drop' } }),
}
