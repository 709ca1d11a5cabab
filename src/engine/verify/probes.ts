// Makes the probes of one claim: does a test fail without this change, and does a test notice when it is broken? The
// order is the one that says most for the least time; every result goes into the evidence.
//
//   accepted or inert ──> no run at all
//   sealed            the sealed examples of the task, which are short
//   witness           the base's code with the patch's tests
//   sabotage          everything emptied at once; if nobody notices, that is the answer
//                     then file by file and mutants, while time is left
import type { Config } from '../../config/settings/config.ts'
import type { CheckRun } from '../../core/evidence/evidence.ts'
import type { InstallRule } from '../../core/findings/install-scripts.ts'
import { breakResult } from '../../core/probes/break-noticed.ts'
import { type BreakPlan, breakPlans, breakPlansOf, type BreakPlans } from '../../core/probes/breaks.ts'
import { probeBudget } from '../../core/probes/budget.ts'
import { type ChangedFile, isOfTests } from '../../core/probes/changed-file.ts'
import { acceptedBy, claimFor, makesFiles, patchKind } from '../../core/probes/patch-claim.ts'
import { weakNames, weakTests, weakText } from '../../core/probes/code-findings.ts'
import { countFailures, flakyTests } from '../../core/probes/flaky.ts'
import type {
  Break,
  FlakyTest,
  PatchKind,
  ProbeName,
  ProbeReport,
  ProbeRuns,
  SkippedProbe,
} from '../../core/evidence/probe-report.ts'
import { PROBES } from '../../core/evidence/probe-report.ts'
import { reachedCode } from '../../core/probes/reached-code.ts'
import { strengthOf, TURNED_OFF } from '../../core/probes/strength.ts'
import { testChanges } from '../../core/probes/test-changes.ts'
import { withTestsOf } from '../../core/probes/with-tests-of.ts'
import { newTestNames, NO_WITNESSES, withoutBlind, witnessesOf } from '../../core/probes/witness.ts'
import type { Task } from '../../core/task/task.ts'
import type { TreeId } from '../../core/values/id.ts'
import { sealedNotes } from '../../core/sealed/judge-examples.ts'
import type { TrySealed } from './sealed-examples.ts'
import { wholeFiles } from './changed-files.ts'
import { type ProbeContext, type ProbeRunRequest, runForProbe } from './probe-runs.ts'

export interface ProbeInput {
  readonly tree: TreeId
  readonly baseTree: TreeId
  readonly files: readonly ChangedFile[]
  /** The checks on the tree, all green. */
  readonly runs: readonly CheckRun[]
  readonly baseline: readonly CheckRun[]
  readonly install: InstallRule
  /** Tests that were red in an earlier attempt and were changed or removed since: they prove nothing. */
  readonly excluded: ReadonlySet<string>
  /** Only an engine has the sealed examples of a task. */
  readonly trySealed?: TrySealed
}

/** The task decides what is claimed. */
export interface ProbedTask extends ProbeContext {
  readonly task: Task
}

export function makeProbes(taskRun: ProbedTask, input: ProbeInput): Promise<ProbeReport> {
  return new ProbeSession(taskRun, input).report()
}

type Settings = Config['evidence']

/** One claim under examination; collects what the report says. */
class ProbeSession {
  readonly taskRun: ProbedTask
  readonly input: ProbeInput
  readonly #startedAt: number
  readonly #budgetMs: number
  readonly #settings: Settings
  readonly #skipped: SkippedProbe[]
  readonly #notes: string[] = []
  readonly #breaks: Break[] = []
  readonly #flaky: FlakyTest[] = []
  #runs: readonly ProbeRuns[] = []
  /** Tests that failed in a break. */
  readonly #noticing = new Set<string>()
  #probesMade = 0
  #lastRunMs = 0

  constructor(taskRun: ProbedTask, input: ProbeInput) {
    const { engine } = taskRun
    this.taskRun = taskRun
    this.input = input
    this.#settings = engine.config.evidence
    this.#startedAt = engine.now()
    this.#budgetMs = probeBudget(input.runs, this.#settings.share)
    this.#skipped = PROBES.filter((probe) => !this.#settings[probe]).map((probe) => ({ probe, why: TURNED_OFF }))
  }

  async report(): Promise<ProbeReport> {
    const { taskRun, input } = this
    const { files } = input
    const kind = patchKind(files)
    const claim = claimFor(taskRun.task, kind, files)
    const accepted = acceptedBy(files, this.#settings.accept)
    const areFilesThere = makesFiles(taskRun.task, input.runs)
    const needsRuns =
      !areFilesThere && accepted.length === 0 && (kind === 'code' || kind === 'data' || kind === 'tests')
    for (const name of input.excluded)
      this.#notes.push(`the test '${name}' was red in an earlier attempt and was changed or removed since`)
    const tried = { ...input, kind: accepted.length === 0 ? kind : 'nothing', limitMs: this.#budgetMs / 2 } as const
    const sealed = (await input.trySealed?.(tried, () => this.#mayMake('sealed'))) ?? null
    this.#notes.push(...(sealed === null ? [] : sealedNotes(sealed)))
    const witnesses = needsRuns ? await this.#examine(kind) : NO_WITNESSES
    const examined = {
      claim,
      kind,
      witnesses,
      newTests: testChanges(files).isSameTests ? 0 : newTestNames(input.runs, input.baseline).length,
      breaks: this.#breaks,
      skipped: this.#skipped,
      accepted,
      ...(areFilesThere ? { areFilesThere } : {}),
      ...(sealed === null ? {} : { sealed }),
    }
    return {
      ...strengthOf(examined),
      ...examined,
      flaky: this.#flaky,
      notes: this.#notes,
      runs: this.#runs,
      budgetMs: this.#budgetMs,
      spentMs: this.#spent(),
    }
  }

  async #examine(kind: PatchKind): Promise<ProbeReport['witnesses']> {
    const { input } = this
    const tests = this.input.files.filter(({ path }) => isOfTests(path))
    const changes = testChanges(this.input.files)
    const found = { candidate: input.runs, baseline: input.baseline, excluded: this.#excluded(), ...changes }
    if (kind === 'tests') return this.#examineTests(tests, found)
    const onBase = await this.#runOnBase(tests)
    const plans = breakPlans(this.input.files)
    const emptied = await this.#breakAll(plans)
    const witnesses = witnessesOf({ ...found, onBase, emptied })
    const unsteady = await this.#unsteady(witnesses, tests, onBase === null ? 'baseline' : 'own run')
    await this.#breakParts(plans, new Set(witnesses.tests))
    const excluded = new Set([...found.excluded, ...unsteady])
    const steady = unsteady.size === 0 ? witnesses : witnessesOf({ ...found, onBase, emptied, excluded })
    return this.#breaks.some(({ result }) => result === 'noticed') ? withoutBlind(steady, this.#noticing) : steady
  }

  /**
   * A witness must be green three times out of three, and one that was only seen red in the baseline must be red there
   * again. Returns the names of those that are not.
   */
  async #unsteady(
    { tests: names, count }: ProbeReport['witnesses'],
    tests: readonly ChangedFile[],
    seenRedIn: 'baseline' | 'own run',
  ): Promise<ReadonlySet<string>> {
    const { tree, baseTree, runs: like, install } = this.input
    if (names.length === 0 || count === 0 || !this.#mayMake('stable')) return new Set()
    const again: CheckRun[] = []
    for (let round = 0; round < STEADY_RERUNS && this.#hasTime(); round += 1)
      again.push(...(await this.#run('stable', 'candidate', { tree, like, install, ...narrowedTo(tests) })))
    const failures = countFailures(names, [...like, ...again])
    const flipped = names.filter((name) => (failures.failed.get(name) ?? 0) > 0)
    this.#flaky.push(...flakyTests('candidate', 'candidate', failures).filter(({ name }) => flipped.includes(name)))
    if (seenRedIn === 'own run' || !this.#hasTime()) return new Set(flipped)
    const base = await this.#run('stable', 'base', { tree: baseTree, like, install })
    const lucky = names.filter((name) => base.some((run) => run.names?.passed.includes(name)))
    return new Set([...flipped, ...lucky])
  }

  /** Tests that prove nothing: bent since they were red, or unable to fail for the right reason. */
  #excluded(): ReadonlySet<string> {
    const { files, runs, excluded } = this.input
    const weak = weakTests(files)
    this.#notes.push(...weak.slice(0, WEAK_SHOWN_MAX).map(weakText))
    const names = runs.flatMap((run) => run.names?.passed ?? [])
    return new Set([...excluded, ...weakNames(weak, files, names)])
  }

  /** The base's code with the candidate's tests; null: the patch changes no test, or it was left out. */
  async #runOnBase(tests: readonly ChangedFile[]): Promise<readonly CheckRun[] | null> {
    const { baseTree, tree, runs, install } = this.input
    const inside = new Map(
      this.input.files.flatMap((file) => {
        const text = isOfTests(file.path) ? null : withTestsOf(file.base, file.now)
        return text === null ? [] : [[file.path, text] as const]
      }),
    )
    if (tests.length === 0 && inside.size === 0) return null
    if (!this.#mayMake('witness')) return []
    const { workspaces } = this.taskRun.engine
    const paths = tests.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]))
    const moved = await workspaces.withFilesOf(baseTree, tree, paths)
    const mixed = await workspaces.alter(moved, inside)
    return this.#run('witness', 'base', { tree: mixed, like: runs, install, ...narrowedTo(tests) })
  }

  /** The runs on the tree with everything emptied; null: nothing could be emptied, or it was left out. */
  async #breakAll({ all }: BreakPlans): Promise<readonly CheckRun[] | null> {
    if (all === null || !this.#mayMake('sabotage')) return null
    return this.#break(all, false)
  }

  /** File by file and by mutants, while time is left. Where nobody noticed the whole, no part needs a look. */
  async #breakParts(plans: BreakPlans, witnesses: ReadonlySet<string>): Promise<void> {
    if (!this.#settings.sabotage || this.#breaks.at(0)?.result === 'survived') return
    for (const plan of [...plans.files, ...plans.mutants]) {
      if (!this.#hasTime()) {
        this.#notes.push(
          `${plans.files.length + plans.mutants.length + 1 - this.#breaks.length} breaks were left out: no time left`,
        )
        break
      }
      // Until a witness has noticed a break, the run goes on after the first red test.
      const isSeen = [...witnesses].some((name) => this.#noticing.has(name))
      await this.#break(plan, isSeen || witnesses.size === 0)
    }
  }

  async #break(plan: BreakPlan, stopAtFirstRed: boolean): Promise<readonly CheckRun[]> {
    const { runs: like, install } = this.input
    const startedAt = this.taskRun.engine.now()
    const tree = await this.#brokenTree(plan)
    const runs = await this.#run('sabotage', 'broken', { tree, like, install, stopAtFirstRed })
    const { how, paths, line, what } = plan
    const ms = this.taskRun.engine.now() - startedAt
    const result = breakResult(runs, like)
    this.#breaks.push({ how, paths, line, what, ...result, ms })
    if (result.result === 'noticed')
      for (const name of runs.flatMap((run) => run.names?.failed ?? [])) this.#noticing.add(name)
    return runs
  }

  async #brokenTree({ texts }: BreakPlan): Promise<TreeId> {
    const { workspaces } = this.taskRun.engine
    const { tree, baseTree } = this.input
    const restored = [...texts].flatMap(([path, text]) => (text === null ? [path] : []))
    const written = [...texts].flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]))
    const back = restored.length === 0 ? tree : await workspaces.withFilesOf(tree, baseTree, restored)
    return written.length === 0 ? back : workspaces.alter(back, new Map(written))
  }

  /** Only tests were changed: does a new one notice when the code that it uses is broken? */
  async #examineTests(
    tests: readonly ChangedFile[],
    found: Pick<Parameters<typeof witnessesOf>[0], 'candidate' | 'baseline' | 'changedTitles'>,
  ): Promise<ProbeReport['witnesses']> {
    const { engine } = this.taskRun
    const files = new Set(await engine.workspaces.files(this.input.tree))
    const reached = tests.flatMap(({ now }) => (now === null ? [] : reachedCode(now, files)))
    const sources = await wholeFiles(engine, this.input.tree, [...new Set(reached)].slice(0, REACHED_MAX))
    const plans = breakPlansOf(sources)
    const emptied = await this.#breakAll(plans)
    await this.#breakParts(plans, new Set())
    return witnessesOf({ ...found, onBase: [], emptied })
  }

  #mayMake(probe: ProbeName): boolean {
    if (!this.#settings[probe]) return false
    if (this.#hasTime()) return true
    this.#skipped.push({ probe, why: 'no time left' })
    return false
  }

  /** However slow the checks are, one probe is made. A run takes about as long as the last one. */
  #hasTime(): boolean {
    return this.#probesMade === 0 || this.#spent() + this.#lastRunMs <= this.#budgetMs
  }

  async #run(probe: ProbeName, on: ProbeRuns['on'], request: ProbeRunRequest): Promise<CheckRun[]> {
    const startedAt = this.taskRun.engine.now()
    const runs = await runForProbe(this.taskRun, request)
    this.#lastRunMs = this.taskRun.engine.now() - startedAt
    this.#probesMade += 1
    const isSame = (one: ProbeRuns): boolean => one.probe === probe && one.on === on
    const times = 1 + (this.#runs.find(isSame)?.times ?? 0)
    this.#runs = [...this.#runs.filter((one) => !isSame(one)), { probe, on, times }]
    return runs
  }

  #spent(): number {
    return this.taskRun.engine.now() - this.#startedAt
  }
}

const REACHED_MAX = 20
const WEAK_SHOWN_MAX = 5
const STEADY_RERUNS = 2

function narrowedTo(tests: readonly ChangedFile[]): { readonly only?: readonly string[] } {
  const paths = tests.filter(({ change }) => change !== 'deleted').map(({ path }) => path)
  return paths.length === 0 ? {} : { only: paths }
}
