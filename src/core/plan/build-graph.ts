// The planner's answer: the tasks of a plan, their goals and their dependencies. It is accepted whole or not at all;
// every fault names its task and field, so that one more try can fix them all.
import { type Answer, bad, type Fields, isTextList, jsonAnswer } from '../values/json-answer.ts'
import { RalphError } from '../error/error.ts'
import type { SealedExample } from '../sealed/example.ts'
import { readExamples } from '../sealed/read-examples.ts'
import { findCycle } from '../task/graph.ts'
import type { TaskId } from '../values/id.ts'
import type { ListedTask } from './plan-placement.ts'
import { newTask, TASK_TYPES, type TaskType } from '../task/task.ts'

export interface BuildGraph {
  readonly tasks: readonly GraphTask[]
  /** What a reader of the plan should know. */
  readonly notes: string
}

export interface GraphTask {
  readonly id: TaskId
  readonly title: string
  readonly goal: string
  readonly acceptance: readonly string[]
  readonly dependsOn: readonly TaskId[]
  readonly filesExpected: readonly string[]
  readonly type: TaskType | null
  /** Sealed: no task, prompt or list shows them. Absent: the author said nothing about examples. */
  readonly examples?: readonly SealedExample[]
}

export interface GraphRules {
  /** The maximum of tasks in a plan. */
  readonly tasksMax: number
  /** Tasks outside of the plan that its tasks may depend on. */
  readonly known: ReadonlySet<TaskId>
  /** What bad examples do; they are an addition to a plan that is good without them. Default: refused. */
  readonly badExamples?: 'refused' | 'left out'
}

/** Leaves room for the `.1` of a part and the `-2` of a second task with the same name. */
export const GRAPH_ID_LENGTH_MAX = 64
const LINES_MAX = 100
const NOTES_LENGTH_MAX = 65_536
/** More would only hide the first. */
const FAULTS_TOLD_MAX = 12
const NO_OBJECT = 'must be an object'

export function readBuildGraph(message: string, rules: GraphRules): Answer<BuildGraph> {
  const answer = jsonAnswer(message)
  return answer.ok ? graphIn(answer.value, rules) : answer
}

export function graphIn(fields: Fields, rules: GraphRules): Answer<BuildGraph> {
  const { tasks, notes, faults: own, between } = graphRead(fields, rules)
  const faults = own.length > 0 ? own : between
  return faults.length === 0 ? { ok: true, value: { tasks, notes } } : bad(faultsText(faults))
}

/** Why a plan is refused; `at`: the index of the task, null where the fault is in the plan as a whole. */
export interface GraphFault {
  readonly at: number | null
  readonly what: string
}

/** All faults, for an author who fixes one after the other. */
export function graphFaults(fields: Fields, rules: GraphRules): readonly GraphFault[] {
  const { faults, between } = graphRead(fields, rules)
  return [...faults, ...between]
}

interface GraphReading extends BuildGraph {
  readonly faults: readonly GraphFaultText[]
  /** Faults between tasks rather than in one. */
  readonly between: readonly GraphFaultText[]
}

interface GraphFaultText extends GraphFault {
  readonly sentence: string
}

function graphRead(
  { tasks, notes = '' }: Fields,
  { tasksMax, known, badExamples = 'refused' }: GraphRules,
): GraphReading {
  const whole = (what: string): GraphReading => {
    return { tasks: [], notes: '', faults: [{ at: null, what, sentence: what }], between: [] }
  }
  if (!Array.isArray(tasks) || tasks.length === 0 || tasks.length > tasksMax)
    return whole(`'tasks' must be a list of 1 to ${tasksMax} tasks${notOfCount(tasks)}`)
  if (typeof notes !== 'string' || notes.length > NOTES_LENGTH_MAX)
    return whole(`'notes' must be a text of at most ${NOTES_LENGTH_MAX} characters`)
  const read = tasks.map((task: unknown, at) => ({ at, ...taskIn(task, at + 1, badExamples) }))
  const faults = read.flatMap(({ at, name, faults: own }) => own.map((what) => faultOf(at, name, what)))
  const taken = read.flatMap(({ task }) => (task === null ? [] : [task]))
  const links = read.flatMap(({ at, link }) => (link === null ? [] : [{ at, ...link }]))
  return { tasks: taken, notes, faults, between: faultsBetween(links, known) }
}

function notOfCount(tasks: unknown): string {
  return Array.isArray(tasks) ? `, not of ${tasks.length}` : ''
}

function faultOf(at: number, name: string, what: string): GraphFaultText {
  return { at, what, sentence: what === NO_OBJECT ? `${name} ${what}` : `${name}: ${what}` }
}

function faultsText(faults: readonly GraphFaultText[]): string {
  const sentences = [...new Set(faults.map(({ sentence }) => sentence))]
  const more = sentences.length - FAULTS_TOLD_MAX
  return [...sentences.slice(0, FAULTS_TOLD_MAX), ...(more > 0 ? [`and ${more} more faults`] : [])].join('; ')
}

interface TaskReading {
  readonly name: string
  readonly task: GraphTask | null
  /** Its id and dependencies, as far as they are readable. */
  readonly link: Pick<GraphTask, 'id' | 'dependsOn'> | null
  readonly faults: readonly string[]
}

function taskIn(value: unknown, number: number, badExamples: GraphRules['badExamples']): TaskReading {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { name: `task ${number}`, task: null, link: null, faults: [NO_OBJECT] }
  const {
    id,
    title,
    goal,
    acceptance,
    depends_on: deps = [],
    files_expected: files = [],
    status,
    type,
    examples,
  } = value as Fields
  const faults: string[] = []
  const name = typeof id === 'string' && id !== '' ? `task '${id}'` : `task ${number}`
  const demand = (isMet: boolean, what: string): void => {
    if (!isMet) faults.push(what)
  }
  demand(
    isGraphId(id),
    `'id' must be 1 to ${GRAPH_ID_LENGTH_MAX} letters, digits, '.', '_' or '-', and begin with a letter or digit`,
  )
  demand(isText(title), "'title' must be a text")
  demand(isText(goal), "'goal' must be a text")
  demand(isLines(acceptance) && acceptance.length > 0, `'acceptance' must be a list of 1 to ${LINES_MAX} texts`)
  demand(isLines(deps), `'depends_on' must be a list of at most ${LINES_MAX} ids`)
  demand(isLines(files), `'files_expected' must be a list of at most ${LINES_MAX} paths`)
  for (const file of isLines(files) ? files : [])
    demand(isFile(file), `'files_expected' has '${file}', which is no path of a file inside the project`)
  demand(status === undefined || status === 'todo', "'status' must be todo")
  const known = TASK_TYPES.find((one) => one === type) ?? null
  demand(type === undefined || known !== null, `'type' must be one of ${TASK_TYPES.join(', ')}`)
  const sealed = readExamples(examples)
  if (badExamples === 'refused') demand(sealed.ok, sealed.ok ? '' : sealed.problem)
  const dependsOn = [...new Set(isLines(deps) ? (deps as TaskId[]) : [])]
  const link = isGraphId(id) ? { id: id as TaskId, dependsOn } : null
  if (faults.length > 0) return { name, task: null, link, faults }
  const task = {
    id: id as TaskId,
    title: (title as string).trim(),
    goal: goal as string,
    acceptance: acceptance as string[],
    dependsOn,
    filesExpected: [...new Set((files as string[]).map(plainPath))],
    type: known,
    ...(examples === undefined || !sealed.ok ? {} : { examples: sealed.value }),
  }
  const problem = textProblem(task)
  return problem === null ? { name, task, link, faults } : { name, task: null, link, faults: [problem] }
}

/** Bounds that hold for every task, whoever writes it. */
function textProblem({ id, title, goal, acceptance, filesExpected }: GraphTask): string | null {
  try {
    newTask(id, { title, description: goal, acceptance, filesExpected }, [], 0)
    return null
  } catch (error) {
    if (error instanceof RalphError) return error.message
    throw error
  }
}

interface Link extends Pick<GraphTask, 'id' | 'dependsOn'> {
  readonly at: number
}

function faultsBetween(links: readonly Link[], known: ReadonlySet<TaskId>): GraphFaultText[] {
  const ids = new Map(links.toReversed().map(({ id, at }) => [id, at]))
  const of = ({ id, at }: Pick<Link, 'id' | 'at'>, what: string): GraphFaultText => faultOf(at, `task '${id}'`, what)
  const faults = links.flatMap((link) => [
    ...(ids.get(link.id) === link.at ? [] : [of(link, "its 'id' is given to more than one task")]),
    ...link.dependsOn
      .filter((dep) => !ids.has(dep) && !known.has(dep))
      .map((dep) => of(link, `'depends_on' names '${dep}', which is no task of this plan`)),
  ])
  if (faults.length > 0) return faults
  const cycle = findCycle(links.map(({ id, dependsOn }) => ({ id, deps: dependsOn })))
  const [first] = cycle ?? []
  if (cycle === null || first === undefined) return []
  return [of({ id: first, at: ids.get(first) ?? 0 }, `'depends_on' goes in a circle: ${cycle.join(' -> ')}`)]
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isLines(value: unknown): value is string[] {
  return isTextList(value) && value.length <= LINES_MAX && value.every(isText)
}

function isGraphId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= GRAPH_ID_LENGTH_MAX &&
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u.test(value)
  )
}

/** One file: no pattern, no folder, nothing outside of the project. */
function isFile(path: string): boolean {
  return !/^\/|[*\\]|\/$/.test(path) && !path.split('/').includes('..') && plainPath(path) !== '.'
}

function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, '')
}

/** A list that can be placed among the existing tasks; `ref`: the text that they were planned from. */
export function listedTasks({ tasks }: BuildGraph, ref: string | null): ListedTask[] {
  return tasks.map(({ id, title, goal, acceptance, dependsOn, filesExpected, type, examples }, at) => ({
    id,
    text: { title, description: goal, acceptance, filesExpected, type, ref },
    deps: dependsOn,
    line: at + 1,
    ...(examples === undefined ? {} : { examples }),
  }))
}
