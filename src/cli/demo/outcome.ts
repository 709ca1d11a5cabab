// Whether everything came out as the story says: looked up in the repository and in the store, not remembered.
import { type Fact, taskOf } from '../../core/fact/fact.ts'
import { factsOf } from '../../operations/builds/build-facts.ts'
import { type BuildReport, type MergedTask, reportBuild } from '../../operations/read/build-report.ts'
import type { BuildContext } from '../../operations/builds/builds.ts'
import { branchOf } from '../../core/builds/build.ts'
import { demoScript } from './demo-script.ts'
import type { Place } from './place.ts'

export interface Outcome {
  readonly report: BuildReport
  /** `git log --oneline` of the build branch. */
  readonly log: string
  readonly rows: readonly Row[]
  /** One phrase for each thing that is otherwise than it should be. */
  readonly problems: readonly string[]
}

/** One merged task. */
export interface Row extends MergedTask {
  readonly tree: string
  readonly attempts: number
  readonly iterations: number
}

/** Attempts and iterations of what is merged, in this order. */
const expected = [
  'money 1/1',
  'cart 1/2',
  'discount 2/2',
  'tax 2/2',
  'checkout.1 1/1',
  'checkout.2 1/1',
  'shipping 2/2',
]

export async function lookAtOutcome(context: BuildContext, place: Place, build: string): Promise<Outcome> {
  const report = await reportBuild(context, build)
  const rows = await Promise.all(report.merged.map((merged) => rowOf(place, report, merged)))
  const problems = [
    ...untold(await allFacts(context, report)),
    ...differences('the merged tasks', rows.map(shortly), expected),
    ...rows.flatMap(unproved),
    ...(handedOver(report) ? [] : ['cart left no scratchpad for its second iteration']),
    ...(await wrongInRepository(place, report)),
  ]
  return { report, log: await place.git('log', '--oneline', branchOf(report.build.id)), rows, problems }
}

async function rowOf({ git }: Place, { attempts, iterations }: BuildReport, merged: MergedTask): Promise<Row> {
  return {
    ...merged,
    tree: await git('rev-parse', `${merged.commit}^{tree}`),
    attempts: attempts.get(merged.task)?.number ?? 0,
    iterations: iterations.filter(({ task }) => task === merged.task).length,
  }
}

function shortly({ task, attempts, iterations }: Row): string {
  return `${task} ${attempts}/${iterations}`
}

function handedOver({ iterations }: BuildReport): boolean {
  return iterations.some(
    ({ task, iteration, scratchpad }) => task === 'cart' && iteration === 1 && scratchpad?.includes('total()') === true,
  )
}

function unproved({ task, tree, evidence, testsRun }: Row): string[] {
  if (evidence === null) return [`${task} has no evidence`]
  return [
    ...differences(`the tree of ${task} and that of its evidence`, [tree], [evidence.tree]),
    ...differences(`the verdict on ${task}`, [evidence.verdict], ['green']),
    ...(testsRun > 0 ? [] : [`no test was run for ${task}`]),
  ]
}

async function wrongInRepository({ git, start }: Place, { build, merged }: BuildReport): Promise<string[]> {
  const commits = (await git('rev-list', '--reverse', `main..${branchOf(build.id)}`)).split('\n')
  return [
    ...differences('the state of the build', [build.state], ['complete']),
    ...differences(
      'the branch and the merged commits',
      commits,
      merged.map(({ commit }) => commit),
    ),
    ...differences('main', [await git('rev-parse', 'main')], [start]),
    ...differences('the branch of the checkout', [await git('branch', '--show-current')], ['main']),
    ...differences('the changes in the checkout', [await git('status', '--porcelain')], ['']),
  ]
}

function differences(what: string, found: readonly string[], wanted: readonly string[]): string[] {
  const [is, should] = [found.join(', '), wanted.join(', ')]
  return is === should ? [] : [`${what}: ${is || 'none'} instead of ${should || 'none'}`]
}

function untold(facts: readonly Fact[]): string[] {
  return demoScript
    .filter(({ task, shows }) => !facts.some((fact) => taskOf(fact) === task && shows(fact)))
    .map(({ task, note }) => `${task} was not ${note.split(/[:,]/)[0] ?? ''}`)
}

async function allFacts(context: BuildContext, { build }: BuildReport): Promise<readonly Fact[]> {
  const all: Fact[] = []
  for await (const facts of factsOf(context, build.id, 0)) all.push(...facts.map(({ fact }) => fact))
  return all
}
