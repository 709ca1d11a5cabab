// Plays a case through the real `ralph build`: a scripted agent hands in the patch, no reviewer is set, and nobody answers.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ended, type Place, runLine, runWords } from './commands.ts'
import type { Case, SealedExample } from './corpus.ts'
import { costOf, type Fact, type ProbeCost } from './facts.ts'
import { applyChanges, caseFolder } from './project-folder.ts'
import { checkOf, setupOf } from './runners.ts'
import { sealedSettings } from './sealed-settings.ts'
import { stepsOf } from './steps.ts'

/**
 * `merged`: in silence, for nobody was there to clear anything. `asked`: it waits for a person with a green check. `refused`: the
 * checks, or what Ralph made of them, said no.
 */
export type End = 'merged' | 'asked' | 'refused'

export interface Played {
  readonly end: End
  /** How often it came back to the agent without an attempt being spent. */
  readonly returned: number
  /** Why it was not merged, in Ralph's words. */
  readonly why: string
  /** Of the last verification: green, red or unverified; null where there was none. */
  readonly verdict: string | null
  readonly strength: unknown
  readonly tookMs: number
  readonly cost: ProbeCost | null
}

const RALPH = join(import.meta.dirname, '../../bin/ralph.js')
const TASK = 'work'

export async function play(one: Case, sealed: readonly SealedExample[] = []): Promise<Played> {
  const { root, folder, env, remove } = caseFolder()
  try {
    const place = { folder, env }
    applyChanges(folder, one.project.files)
    writeFileSync(join(folder, 'ralph.toml'), settings(one, sealed))
    for (const line of ['git init -q -b main', 'git config user.name Ada', 'git config user.email ada@example.com'])
      await done(runLine(line, place))
    await done(runLine('git add --all && git commit -q -m start', place))
    writeFileSync(join(root, 'scenario.json'), JSON.stringify(scenario(one)))
    await done(ralph(['task', 'create', TASK, one.task.title, ...(await words(one, place))], place))
    const began = performance.now()
    const build = await ralph(['build'], place)
    const tookMs = Math.round(performance.now() - began)
    const log = await done(ralph(['log', '--json'], place))
    const facts = log.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Fact)
    return { ...endOf(facts, build.output), tookMs, cost: await costOf(facts, place) }
  } finally {
    if (process.env['KEEP'] === undefined) remove()
    else console.log(folder)
  }
}

async function done(running: Promise<Ended>): Promise<Ended> {
  const ended = await running
  if (ended.code !== 0) throw new Error(`ended with ${ended.code}: ${ended.output}`)
  return ended
}

function ralph(args: readonly string[], place: Place): Promise<Ended> {
  return runWords([process.execPath, RALPH, ...args], place)
}

/** Defaults, but for the agent, the missing reviewer, and one attempt: the scripted agent would only do the same again. */
function settings({ project }: Case, sealed: readonly SealedExample[]): string {
  return `[agents]
default = "scripted"
[agent.scripted]
scenario = "../scenario.json"
[checks]
unit = ${JSON.stringify(checkOf(project))}
[workspace]
setup = ${JSON.stringify(setupOf(project))}
[review]
when = "never"
[limits]
attempts = 1
interventions = 1
${sealed.length === 0 ? '' : (sealedSettings(sealed) ?? '')}`
}

function scenario(one: Case): object {
  const complete = { signal: { kind: 'TASK_COMPLETE' } }
  const first = stepsOf([...one.project.files], one.changes)
  const patch = [...first.steps, ...one.commands.map((command) => ({ run: command }))]
  const again = one.again === null ? null : stepsOf(first.files, one.again).steps
  return {
    sessions: [
      { role: 'implementer', task: TASK, iteration: 1, steps: [...patch, complete] },
      { role: 'implementer', task: TASK, steps: [...(again ?? []), complete] },
      { role: 'sia', steps: [{ answer: { type: 'escalate', reason: 'no more to try' } }] },
    ],
  }
}

let createHelp: Promise<Ended> | null = null

/** Whether `ralph task create` of this version takes the type of a task. */
export async function takesTypes(place: Place = { folder: import.meta.dirname, env: {} }): Promise<boolean> {
  createHelp ??= ralph(['task', 'create', '--help'], place)
  return (await createHelp).stdout.includes('--type ')
}

async function words({ task }: Case, place: Place): Promise<readonly string[]> {
  return [
    ...(task.description === '' ? [] : ['--description', task.description]),
    ...(task.type !== null && (await takesTypes(place)) ? ['--type', task.type] : []),
  ]
}

type Ending = Pick<Played, 'end' | 'returned' | 'why' | 'verdict' | 'strength'>

function endOf(facts: readonly Fact[], output: string): Ending {
  const iterations = facts.filter(({ type }) => type === 'iterationStarted').length
  const last = facts.findLast(({ type }) => type === 'verified')
  const question = facts.findLast(({ type }) => type === 'humanNeeded')?.reason ?? output
  const all = {
    returned: Math.max(0, iterations - 1),
    verdict: last?.verdict?.is ?? null,
    strength: last?.strength ?? null,
  }
  if (facts.some(({ type }) => type === 'merged')) return { ...all, end: 'merged', why: '' }
  if (all.verdict === 'green') return { ...all, end: 'asked', why: question }
  return { ...all, end: 'refused', why: last?.verdict?.error ?? question }
}
