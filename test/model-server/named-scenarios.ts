// Scenarios that can be tried by hand: `npm run model-server -- NAME`.
import { GOAL, numbersTeam } from './numbers-story.ts'
import { patchTeam, STORY_GOAL, toolTeam } from './patch-story.ts'
import { atFirst, inOrder, type Scenario } from './scenario.ts'
import { team } from './team.ts'
import { call, hang, refuse, say, type Turn } from './turn.ts'

export interface Named {
  readonly about: string
  /** Made anew for each server: some remember what they said. */
  readonly open: () => Scenario
}

const work = (...last: readonly Turn[]): Scenario =>
  inOrder(
    {
      says: [
        { thinking: 'A file is wanted.' },
        { text: 'I write the file.' },
        { call: 'Bash', input: { command: 'echo hello > hello.txt', description: 'Write the file' } },
      ],
    },
    call('Bash', { command: 'cat hello.txt', description: 'Look at the file' }),
    ...last,
  )

const done = say('I wrote hello.txt and read it back.\n\nTASK_COMPLETE')
const always =
  (turn: Turn): Scenario =>
  () =>
    turn

const HOUR_SECONDS = 3600

export const namedScenarios: Readonly<Record<string, Named>> = {
  hello: { about: 'says hello', open: () => always(say('Hello!\n\nITERATION_DONE')) },
  work: { about: 'writes a file, looks at it and is done', open: () => work(done) },
  numbers: {
    about: `a whole build: ralph build '${GOAL}'`,
    open: () => team(numbersTeam),
  },
  patches: {
    about: `a whole build by the agent model with tools = "none": ralph build '${STORY_GOAL}'`,
    open: () => team(patchTeam),
  },
  tools: {
    about: `the same with its tools: ralph build '${STORY_GOAL}'`,
    open: () => team(toolTeam),
  },
  slow: { about: 'as work, with 2 s for each answer', open: () => slowly(work(done)) },
  hang: { about: 'never answers', open: () => always(hang) },
  drop: {
    about: 'the first stream breaks off after 4 parts, then it works',
    open: () => atFirst({ ...done, cut: { afterParts: 4, by: 'drop' } }, work(done)),
  },
  'drop-always': {
    about: 'every connection breaks off',
    open: () => always({ ...done, cut: { afterParts: 0, by: 'drop' } }),
  },
  'limit-once': {
    about: 'the first request meets a rate limit of 5 s, then it works',
    open: () => atFirst(refuse('rateLimit', { resetsInSeconds: 5 }), work(done)),
  },
  auth: { about: '401', open: () => always(refuse('auth')) },
  forbidden: { about: '403', open: () => always(refuse('forbidden')) },
  'rate-limit': {
    about: '429 for the next hour',
    open: () => always(refuse('rateLimit', { resetsInSeconds: HOUR_SECONDS })),
  },
  server: { about: '500', open: () => always(refuse('server')) },
  overload: { about: '529', open: () => always(refuse('overload')) },
  credit: { about: '400, no money left', open: () => always(refuse('credit')) },
  'too-long': { about: '400, the prompt is too long', open: () => always(refuse('tooLong')) },
  'unknown-model': { about: '404, there is no such model', open: () => always(refuse('unknownModel')) },
  length: { about: 'stops at its length', open: () => always({ ...say('I was going to'), stops: 'length' }) },
  refusal: { about: 'refuses to answer', open: () => always({ ...say('No.'), stops: 'refusal' }) },
}

const SLOW_MS = 2000

function slowly(scenario: Scenario): Scenario {
  return (ask) => ({ ...scenario(ask), lagMs: SLOW_MS })
}
