// Reads a scenario file: JSON in a documented form (docs/guide/agents.md). An error names the place.
import { open } from 'node:fs/promises'
import { SIGNALS } from '../../core/session/signal.ts'
import { errnoOf } from '../../system/errno.ts'
import { FAILURE_KINDS, ROLES } from '../agent.ts'
import { CRASH_SIGNALS, type Part, type Scenario, type Step, type StepName } from './scenario.ts'
import {
  amount,
  choice,
  either,
  fields,
  list,
  object,
  onOff,
  oneOfFields,
  path,
  type Shape,
  text,
  whole,
} from './value-checks.ts'

export type ScenarioReading = { readonly scenario: Scenario } | { readonly problem: string }

const FILE_BYTES_MAX = 4 * 1024 * 1024
const LIST_LENGTH_MAX = 1000
const DAY_MS = 86_400_000
const FLOOD_BYTES_MAX = 20_000_000_000

const fileText = fields({ path, content: text })
const stubborn = fields({}, { ignoreSigterm: onOff })
const nothing = fields({})
const count = whole(0, 1_000_000_000_000, 'tokens')

const steps: Readonly<Record<StepName, Shape>> = {
  write: fileText,
  append: fileText,
  delete: path,
  run: either(text, list(text, LIST_LENGTH_MAX)),
  commit: fields({ message: text }),
  scratchpad: fields({ done: text, testStatus: text, nextStep: text, blockers: text }),
  savePrompt: path,
  writeOutside: fields({ path: text, content: text }),
  deleteFolder: nothing,
  leaveChild: fields({}, { holdOutput: onOff, ignoreSigterm: onOff }),
  say: text,
  answer: object,
  answerText: text,
  signal: fields({ kind: choice(SIGNALS) }, { reason: text }),
  usage: fields({ inputTokens: count, outputTokens: count }, { costUsd: either(amount(0, 1e6, 'US dollars'), isNull) }),
  sleep: whole(0, DAY_MS, 'ms'),
  hang: stubborn,
  linger: stubborn,
  crash: oneOfFields({ code: whole(0, 255, 'exit code'), signal: choice(CRASH_SIGNALS) }),
  fail: fields({ kind: choice(FAILURE_KINDS), sentence: text }, { untilInSeconds: amount(0, 1e9, 's') }),
  flood: fields({ bytes: whole(0, FLOOD_BYTES_MAX, 'bytes'), as: choice(['lines', 'oneLine']) }),
  badUtf8: nothing,
  tornJson: nothing,
}

function isNull(value: unknown, place: string): string | null {
  return value === null ? null : `${place} must be null`
}

const orAny = (shape: Shape): Shape => either(shape, choice(['*']))

const document = fields({
  sessions: list(
    fields(
      { steps: list(oneOfFields(steps), LIST_LENGTH_MAX) },
      {
        role: orAny(choice(ROLES)),
        task: text,
        attempt: orAny(whole(0, 1e9, 'an attempt, or "*"')),
        iteration: orAny(whole(0, 1e9, 'an iteration, or "*"')),
      },
    ),
    LIST_LENGTH_MAX,
  ),
})

export async function readScenario(file: string): Promise<ScenarioReading> {
  const read = await readText(file)
  if ('problem' in read) return read
  const reading = parseScenario(read.text)
  return 'problem' in reading ? { problem: `${file}: ${reading.problem}` } : reading
}

export function parseScenario(json: string): ScenarioReading {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    const why = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : ''
    return { problem: `it is not JSON: ${why}` }
  }
  const problem = document(value, 'scenario')
  return problem === null ? { scenario: { parts: (value as ScenarioFile).sessions.map(partOf) } } : { problem }
}

/** The shape that `document` has checked. */
interface ScenarioFile {
  readonly sessions: readonly ({ readonly steps: readonly Step[] } & Readonly<Record<string, unknown>>)[]
}

function partOf({ steps, ...named }: ScenarioFile['sessions'][number]): Part {
  const part = (name: string): unknown => (named[name] === '*' ? null : (named[name] ?? null))
  return {
    role: part('role') as Part['role'],
    task: part('task') as Part['task'],
    attempt: part('attempt') as Part['attempt'],
    iteration: part('iteration') as Part['iteration'],
    steps,
  }
}

async function readText(file: string): Promise<{ readonly text: string } | { readonly problem: string }> {
  try {
    const opened = await open(file)
    try {
      const { size } = await opened.stat()
      if (size > FILE_BYTES_MAX) return { problem: `${file} has ${size} bytes, the most is ${FILE_BYTES_MAX}` }
      return { text: await opened.readFile('utf8') }
    } finally {
      await opened.close()
    }
  } catch (error) {
    return { problem: `the scenario ${file} cannot be read (${errnoOf(error)}); correct agent.scripted.scenario` }
  }
}
