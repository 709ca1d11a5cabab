// Notices for people who do not watch the build: which facts cause one, its words, and the commands that answer it.
import type { Fact, RecordedFact } from '../fact/fact.ts'
import type { BuildId, Instant, TaskId } from '../values/id.ts'
import { formatInstant } from '../values/instant.ts'
import { cutToLength } from '../values/text-bounds.ts'
import { waysOut } from './ways-out.ts'

export interface Notice {
  /** Stays the same however often the notice is sent. */
  readonly id: string
  readonly type: 'humanNeeded' | 'buildComplete' | 'buildFailed' | 'budgetExhausted' | 'waiting'
  readonly build: BuildId
  readonly task: TaskId | null
  readonly sentence: string
  /** Commands that let the build continue. */
  readonly answer: readonly string[]
  readonly at: Instant
  readonly seq: number
}

/** A shorter wait is over before anybody reads the notice. */
export const LONG_WAIT_MS = 600_000
/** Waits for the same agent that end this close to each other count as one: each loop meets the limit by itself. */
const SAME_WAIT_MS = 900_000
/** In UTF-16 units: chats refuse messages of more than 2,000. */
const SENTENCE_LENGTH_MAX = 1_500

/** The earlier notices, as far as they decide about the next one. */
export interface Memory {
  /** Until when each agent is known to be limited. */
  readonly waits: ReadonlyMap<string, Instant>
  /** Whether a notice said that the budget is spent, and no session has started since. */
  readonly isBudgetTold: boolean
}

export const NOTHING_TOLD: Memory = { waits: new Map(), isBudgetTold: false }

/** Folds one fact into the memory and returns its notice, if any. Every reader of a log gets the same notices. */
export function noticeOf(memory: Memory, build: BuildId, recorded: RecordedFact): [Memory, Notice | null] {
  const { fact, at, seq } = recorded
  const told = wordsFor(memory, build, fact, at)
  const next = remember(memory, fact)
  if (told === null) return [next, null]
  const sentence = shorten(told.sentence)
  const task = 'taskId' in fact ? fact.taskId : null
  return [next, { id: `${build}/${seq}`, type: told.type, build, task, sentence, answer: told.answer, at, seq }]
}

type Words = Pick<Notice, 'type' | 'sentence' | 'answer'>

function wordsFor(memory: Memory, build: BuildId, fact: Fact, at: Instant): Words | null {
  switch (fact.type) {
    case 'humanNeeded':
      return {
        type: fact.type,
        sentence: `Task ${fact.taskId} (${fact.taskName}) waits for you: ${fact.reason}`,
        answer: waysOut(fact.taskId).map(({ command }) => command),
      }
    case 'baselineFailed':
      return {
        type: 'humanNeeded',
        sentence: `Build ${build} waits for you, and no agent was started: ${fact.error}\n${fact.fix}`,
        answer: ['ralph build'],
      }
    case 'buildComplete':
      return {
        type: fact.type,
        sentence: `Build ${build} is complete; its work is on the branch ralph/${build}.`,
        answer: ['ralph report', 'ralph ship'],
      }
    case 'buildFailed':
      return {
        type: fact.type,
        sentence: `Build ${build} failed: ${fact.error}`,
        answer: ['ralph status', 'ralph build'],
      }
    case 'budgetExhausted':
      return memory.isBudgetTold ? null : { type: fact.type, sentence: fact.sentence, answer: [fact.goOn] }
    case 'waiting':
    case 'planningLimited':
    case 'agentLimited':
      return fact.until - at < LONG_WAIT_MS || isKnownWait(memory, fact.agent, fact.until) ? null : waitWords(fact)
    default:
      return null
  }
}

function waitWords({
  agent,
  until,
  reason,
}: Extract<Fact, { type: 'waiting' | 'planningLimited' | 'agentLimited' }>): Words {
  return {
    type: 'waiting',
    sentence: `The build waits for ${agent} until ${formatInstant(until)} UTC: ${reason}`,
    answer: ['ralph status', 'ralph pause', 'ralph build --agent NAME', 'ralph build --no-wait'],
  }
}

function isKnownWait({ waits }: Memory, agent: string, until: Instant): boolean {
  const known = waits.get(agent)
  return known !== undefined && Math.abs(until - known) < SAME_WAIT_MS
}

function remember(memory: Memory, fact: Fact): Memory {
  switch (fact.type) {
    case 'waiting':
    case 'planningLimited':
    case 'agentLimited':
      return { ...memory, waits: new Map([...memory.waits, [fact.agent, fact.until]]) }
    case 'budgetExhausted':
      return { ...memory, isBudgetTold: true }
    case 'iterationStarted':
      return memory.isBudgetTold ? { ...memory, isBudgetTold: false } : memory
    default:
      return memory
  }
}

function shorten(text: string): string {
  const cut = cutToLength(text, SENTENCE_LENGTH_MAX)
  return cut.length === text.length ? text : `${cut}…`
}
