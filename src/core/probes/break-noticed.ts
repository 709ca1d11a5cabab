// Whether the checks noticed that the change was broken on purpose. Only a test that ran and failed by its own name
// counts, where the runner names its tests, else a number of failed tests among as many as before: a tree that does not
// build says nothing about the tests.
import { type CheckRun, isGreen, testsRun } from '../evidence/evidence.ts'
import type { Break } from '../evidence/probe-report.ts'

export interface BreakResult extends Pick<Break, 'result' | 'by'> {}

const NAMED_MAX = 3

/** `candidate`: the same checks on the whole tree, all green. */
export function breakResult(broken: readonly CheckRun[], candidate: readonly CheckRun[]): BreakResult {
  const restsOnTests = testsRun(candidate) > 0
  const results = broken.flatMap((run) => {
    const whole = candidate.find(({ checkHash }) => checkHash === run.checkHash)
    // A run without a counterpart is the setup, which builds the code and fails before any check can.
    if (whole === undefined) return [UNCLEAR]
    if (run.kind !== 'check' || (restsOnTests && testsRun([whole]) === 0)) return []
    return [resultOf(run, whole)]
  })
  const first = results.find(({ result }) => result === 'noticed') ?? results.find(({ result }) => result === 'unclear')
  return first ?? { result: 'survived', by: [] }
}

const UNCLEAR: BreakResult = { result: 'unclear', by: [] }

function resultOf(run: CheckRun, whole: CheckRun): BreakResult {
  if (isGreen(run)) return testsRun([run]) < testsRun([whole]) ? UNCLEAR : { result: 'survived', by: [] }
  if (run.how === 'timedOut') return { result: 'noticed', by: ['the time limit'] }
  if (run.how !== 'exited' && run.how !== 'signalled') return UNCLEAR
  if (testsRun([whole]) === 0) return { result: 'noticed', by: [run.name] }
  if (whole.names !== null && run.names !== null) return byName(run.names.failed, new Set(whole.names.passed))
  const failed = run.tests?.failed ?? 0
  const isAll = (run.tests?.run ?? 0) >= (whole.tests?.run ?? 0)
  return failed > 0 && isAll ? { result: 'noticed', by: [`${failed} tests of ${run.name}`] } : UNCLEAR
}

function byName(names: readonly string[], passed: ReadonlySet<string>): BreakResult {
  const failed = names.filter((name) => passed.has(name))
  return failed.length === 0 ? UNCLEAR : { result: 'noticed', by: failed.slice(0, NAMED_MAX) }
}
