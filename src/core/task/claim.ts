// What a task claims. `behaviour`: a test must show the difference. `none`: the program does the same as before, so it
// is enough that the checks notice a break of the touched code.
//
// The claim is never the implementer's word: an agent that could call its task a refactoring would need no test. So a
// task whose title or type comes from a session, or whose title SIA rewrote, keeps a `fixedClaim`.
import type { TaskText, TaskType } from './task.ts'

export interface TaskClaim {
  readonly claim: 'behaviour' | 'none'
  /** `type`: the operator's or the planner's. `title`: its first words. `default`: neither says anything. */
  readonly from: 'type' | 'title' | 'default'
  /** The type, or the words of the title. */
  readonly word?: string
}

export type Claiming = Pick<TaskText, 'title' | 'type'> & {
  /** Decided earlier; null or missing: the type and the title decide. */
  readonly fixedClaim?: TaskClaim | null
}

const TYPES_WITHOUT_CLAIM: readonly TaskType[] = ['docs', 'refactor', 'chore', 'test', 'setup']

/** As in `docs: …` and `docs(api): …`. With `!` it is a breaking change, which is behaviour. */
export const PREFIXES_WITHOUT_CLAIM = ['docs', 'refactor', 'chore', 'test', 'style', 'build', 'ci'] as const

export const VERBS_WITHOUT_CLAIM = [
  'refactor',
  'rename',
  'move',
  'extract',
  'simplify',
  'tidy',
  'format',
  'document',
  'describe',
  'bump',
  'upgrade',
  'add tests',
] as const

export const DEFAULT_CLAIM: TaskClaim = { claim: 'behaviour', from: 'default' }

const prefix = new RegExp(String.raw`^(${PREFIXES_WITHOUT_CLAIM.join('|')})(?:\([^()]*\))?:`, 'i')
const verb = new RegExp(String.raw`^(${VERBS_WITHOUT_CLAIM.join('|').replaceAll(' ', String.raw`\s+`)})(?=\s|$)`, 'i')

export function claimOf({ type, title, fixedClaim = null }: Claiming): TaskClaim {
  if (fixedClaim !== null) return fixedClaim
  if (type !== null)
    return { claim: TYPES_WITHOUT_CLAIM.includes(type) ? 'none' : 'behaviour', from: 'type', word: type }
  const line = title.trim()
  const word = prefix.exec(line)?.[0] ?? verb.exec(line)?.[0]
  return word === undefined ? DEFAULT_CLAIM : { claim: 'none', from: 'title', word }
}

const tests =
  /^(?:(?:add|write|more|extend|improve|increase|raise|cover)\b.*\b(?:tests|specs|coverage|test cases?|(?:test|spec)(?=\s+(?:for|of|that|to)\b|$))|test\s+(?:the|that|how|what|every|all)\b)/i

/** Whether the operator's own title asks for tests: `Cover the parser with tests`, `More tests for the cart`. */
export function asksForTests({ title, fixedClaim = null }: Claiming): boolean {
  return fixedClaim === null && tests.test(title.trim())
}

const BEHAVIOUR = 'new behaviour, which a test must show'

/** For people: `new behaviour, which a test must show`, and where that is from. */
export function claimText(claim: TaskClaim): string {
  const why = reasonOf(claim)
  return `${claim.claim === 'none' ? 'no new behaviour' : BEHAVIOUR}${why === null ? '' : ` (${why})`}`
}

function reasonOf({ from, word }: TaskClaim): string | null {
  if (from === 'default') return null
  return from === 'type' ? `its type is ${word}` : `its title begins with "${word}"`
}

const NAMED_MAX = 5

/** The claims of the tasks of a build in one sentence; null where there is no task. */
export function claimsSentence(tasks: readonly (Claiming & { readonly id: string })[]): string | null {
  const without = tasks
    .map(({ id, ...task }) => ({ id, claim: claimOf(task) }))
    .filter(({ claim }) => claim.claim === 'none')
  const claiming = tasks.length - without.length
  const parts = [
    ...(claiming === 0 ? [] : [`${claiming === 1 ? 'one task claims' : `${claiming} tasks claim`} ${BEHAVIOUR}`]),
    ...(without.length === 0 ? [] : [`no new behaviour is claimed by ${namesOf(without)}`]),
  ]
  return parts.length === 0 ? null : `${parts.join('; ')}; 'ralph task update ID --type TYPE' changes what one claims`
}

function namesOf(without: readonly { readonly id: string; readonly claim: TaskClaim }[]): string {
  const names = without.slice(0, NAMED_MAX).map(({ id, claim }) => `${id} (${reasonOf(claim)})`)
  const more = without.length - names.length
  return `${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
}
