// What the examples of a task say about a change. They can be wrong, so they never refuse anything by themselves:
//
//   all hold                 the sentence about the evidence says so
//   fewer than most fail     a note for the reviewer
//   most fail, or a name is not there
//                            back to the agent once, without values; then the reviewer decides, with values
//   none counts              nothing is lowered
import { EXAMPLES_MIN, exampleLabel, type SealedExample } from './example.ts'
import type { ExampleResult } from './example-result.ts'

/** What the evidence keeps: numbers of examples, from 1, and no value. */
export interface SealedReport {
  readonly total: number
  /** Those that say something: they failed on the base, and gave the same answer twice. */
  readonly counted: number
  readonly passed: number
  /** Hold on the base as well as here, so they prove nothing. */
  readonly onBase: number
  /** Of those that count. */
  readonly failed: readonly number[]
  /** Of the failed ones: there is no such module, name or program. */
  readonly missing: readonly number[]
  /** Answered differently the second time. */
  readonly unsteady: readonly number[]
  /** Could not be run. */
  readonly unclear: readonly number[]
  readonly outcome: SealedOutcome
  /** Nothing kept the implementer from reading them: it worked without a sandbox, or they stand in the repository. */
  readonly readable: boolean
  /** What the agent is told; absent: nothing. */
  readonly told?: string
}

/** Before anybody says whether they could be read. */
export type SealedJudgement = Omit<SealedReport, 'readable' | 'told'>

export type SealedOutcome = 'none' | 'hold' | 'someFail' | 'mostFail'

export function judgeExamples(
  onBase: readonly ExampleResult[],
  [first, second]: readonly [readonly ExampleResult[], readonly ExampleResult[]],
): SealedJudgement {
  const total = first.length
  const classes = first.map((result, at) => classOf(onBase[at], result, second[at]))
  const numbers = (...wanted: readonly ExampleClass[]): number[] =>
    classes.flatMap((one, at) => (wanted.includes(one) ? [at + 1] : []))
  const failed = numbers('fails', 'missing')
  const passed = numbers('holds').length
  const counted = total < EXAMPLES_MIN ? 0 : failed.length + passed
  const about = {
    total,
    onBase: numbers('onBase').length,
    unsteady: numbers('unsteady'),
    unclear: numbers('unclear'),
  }
  if (counted === 0) return { ...about, counted, passed: 0, failed: [], missing: [], outcome: 'none' }
  const missing = numbers('missing')
  const outcome =
    failed.length === 0 ? 'hold' : isMost(failed.length, counted) || missing.length > 0 ? 'mostFail' : 'someFail'
  return { ...about, counted, passed, failed, missing, outcome }
}

type ExampleClass = 'holds' | 'fails' | 'missing' | 'onBase' | 'unsteady' | 'unclear'

function classOf(
  base: ExampleResult | undefined,
  first: ExampleResult,
  second: ExampleResult | undefined,
): ExampleClass {
  if (first.is === 'unclear' || second === undefined || second.is === 'unclear') return 'unclear'
  if (first.is !== second.is || first.answer !== second.answer) return 'unsteady'
  // One that held before and fails now counts all the more.
  if (first.is !== 'holds') return first.is
  return base?.is === 'holds' ? 'onBase' : 'holds'
}

function isMost(failed: number, counted: number): boolean {
  return failed * 2 > counted
}

/** Whether a reviewer or a person has to look, if the agent was told already. */
export function needsLook(sealed: Pick<SealedReport, 'outcome'> | undefined): boolean {
  return sealed?.outcome === 'mostFail'
}

/** `4 of 5 sealed examples hold`; null: there are none. */
export function sealedText(sealed: SealedJudgement): string | null {
  const { total, counted, passed } = sealed
  if (total === 0) return null
  if (counted > 0)
    return `${passed} of ${counted} sealed ${counted === 1 ? 'example holds' : `examples ${passed === 1 ? 'holds' : 'hold'}`}`
  return 'no sealed example counts'
}

/** Why fewer count than there are, for people. */
export function sealedNotes(sealed: SealedReport): string[] {
  const { total, onBase, unsteady, unclear, failed, outcome, readable } = sealed
  if (total === 0) return []
  const notes = [
    ...(total < EXAMPLES_MIN
      ? [`${total} sealed ${total === 1 ? 'example is' : 'examples are'} fewer than ${EXAMPLES_MIN}, so none counts`]
      : []),
    ...(onBase === 0
      ? []
      : [
          `${onBase} sealed ${onBase === 1 ? 'example holds' : 'examples hold'} without this change and ${onBase === 1 ? 'proves' : 'prove'} nothing`,
        ]),
    ...(unsteady.length === 0
      ? []
      : [`sealed example ${unsteady.join(', ')}: another answer the second time, left out`]),
    ...(unclear.length === 0 ? [] : [`sealed example ${unclear.join(', ')}: could not be run, left out`]),
    ...(outcome === 'someFail' ? [`sealed example ${failed.join(', ')} does not hold`] : []),
    ...(readable ? ['the sealed examples could be read by the agent: no sandbox'] : []),
  ]
  return notes
}

const HIDDEN =
  'These examples follow from the acceptance of the task, and their values are not shown. Compare your work with every line of the acceptance, also for values that no test uses, then say again that the task is done; if your work is right as it is, say so and why.'

/** What the agent is told, once: names and numbers, and no value. Null: nothing. */
export function toldToAgent(
  sealed: SealedJudgement,
  examples: readonly SealedExample[],
  results: readonly ExampleResult[],
): string | null {
  if (!needsLook(sealed)) return null
  const { failed, missing, counted } = sealed
  const told = failed.map((number) => {
    const example = examples[number - 1]
    const label = example === undefined ? '' : exampleLabel(example)
    return `- example ${number}, ${label}: ${missing.includes(number) ? (results[number - 1]?.answer ?? 'missing') : 'does not hold'}`
  })
  const are = failed.length === 1 ? 'does' : 'do'
  return [`${failed.length} of ${counted} sealed examples ${are} not hold:`, ...told, HIDDEN].join('\n')
}
