// The branch, the store and the processes of a build that has ended, as one value.
import type { Fact } from '../../src/core/fact/fact.ts'
import { leftIn, type KillableProject } from '../rig/build-process.ts'

export interface Landed {
  readonly subject: string
  readonly attempt: string
  readonly tree: string
  /** Of the evidence that the commit names, as the store has it. */
  readonly proved: string
  /** Of the commit's git note. */
  readonly noted: string
  /** Of the evidence that the store says the task was merged with. */
  readonly recorded: string
}

export interface Audit {
  readonly landed: readonly Landed[]
  readonly tasks: readonly string[]
  readonly state: string
  readonly mergedFacts: readonly string[]
  /** Sessions that count, each once. */
  readonly iterations: readonly string[]
  readonly gaps: readonly number[]
  readonly processes: readonly string[]
  /** The branch that is checked out. */
  readonly head: string
  readonly checkout: string
  readonly history: string
  readonly fsck: string
}

export async function audit(stage: KillableProject): Promise<Audit> {
  const { context, build, git, engineGit } = stage
  const { store, scope } = context
  const recorded = await store.builds.facts(build.id, 0, 10_000)
  const facts = recorded.map(({ fact }) => fact)
  const tasks = await store.tasks.list(scope, {})
  return {
    landed: await landed(stage, facts),
    tasks: tasks.map(({ id, status, assignee, retryCount }) => `${id} ${status} ${assignee} ${retryCount}`).sort(),
    state: (await store.builds.find(build.id))?.state ?? 'none',
    mergedFacts: facts.flatMap((fact) => (fact.type === 'merged' ? [fact.taskId] : [])),
    iterations: (await store.builds.attachments(build.id, 'iteration')).map(
      ({ task, attempt, iteration, error }) => `${task}/${attempt}/${iteration} ${error}`,
    ),
    gaps: recorded.flatMap(({ seq }, index) => (seq === index + 1 ? [] : [seq])),
    processes: leftIn(stage.folder),
    head: git('symbolic-ref', '--short', 'HEAD'),
    checkout: git('status', '--porcelain'),
    history: git('log', '--format=%s', 'main'),
    fsck: [engineGit('fsck', '--no-dangling', '--no-progress'), git('fsck', '--no-dangling', '--no-progress')].join(''),
  }
}

/** The first-parent chain since the user's own commit, oldest first. */
async function landed({ context, build, engineGit }: KillableProject, facts: readonly Fact[]): Promise<Landed[]> {
  const kept = await context.store.builds.attachments(build.id, 'evidence')
  const shown = (id: string): string => {
    const evidence = kept.find((one) => one.id === id)?.evidence
    return evidence === undefined ? `no evidence ${id}` : `${evidence.verdict} ${evidence.tree}`
  }
  const since = [`ralph/${build.id}`, `^refs/ralph/bases/${build.id}`]
  const log = engineGit('log', '-z', '--first-parent', '--reverse', '--format=%H%n%T%n%B', ...since)
  return log
    .split('\0')
    .filter(Boolean)
    .map((text) => {
      const [commit = '', tree = '', subject = '', ...body] = text.split('\n')
      const trailer = (name: string): string =>
        body.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? 'none'
      const [attempt, evidence] = [trailer('Ralph-Attempt'), trailer('Ralph-Evidence')]
      const note = JSON.parse(engineGit('notes', '--ref=ralph', 'show', commit)) as { tree: string }
      const fact = facts.find((one) => one.type === 'merged' && one.commit === commit)
      const proof = fact?.type === 'merged' ? fact.proof : null
      return {
        subject,
        attempt,
        tree,
        proved: evidence === 'none' ? 'none' : shown(evidence),
        noted: note.tree,
        recorded: proof?.by === 'evidence' ? shown(proof.evidence) : JSON.stringify(proof),
      }
    })
}

/** Violations of the rules that hold for every build that ended well. */
export function brokenLaws({
  landed: commits,
  mergedFacts,
  gaps,
  processes,
  history,
  checkout,
  fsck,
}: Audit): string[] {
  const unproved = commits.filter(
    ({ tree, proved, noted, recorded }) => proved !== `green ${tree}` || noted !== tree || recorded !== `green ${tree}`,
  )
  return [
    ...unproved.map((commit) => `a commit without its proof: ${JSON.stringify(commit)}`),
    ...(new Set(mergedFacts).size === commits.length && mergedFacts.length === commits.length
      ? []
      : [`${commits.length} commits of tasks ${mergedFacts.join(', ')}`]),
    ...gaps.map((seq) => `a gap before fact ${seq}`),
    ...processes.map((one) => `left running: ${one}`),
    ...(history === 'start' && checkout === '?? ralph.toml' ? [] : [`the user's own: ${history} ${checkout}`]),
    ...(fsck === '' ? [] : [fsck]),
  ]
}
