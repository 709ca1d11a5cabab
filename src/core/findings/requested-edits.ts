// Whether a task asks for words alone: comments, docs, typos. Then a patch that changes nothing but comments does the
// task; for any other task it does nothing.
import type { Finding } from '../fact/finding.ts'
import type { TaskText, TaskType } from '../task/task.ts'

export type TaskWords = Pick<TaskText, 'type' | 'title' | 'description'>

const words = String.raw`(?:comments?|remarks?|docs?|documentation|doc-?strings?|[jt]s-?docs?|doc comments?|javadocs?|godocs?|rustdocs?|typos?|spelling|grammar|wording|readme|licen[cs]e headers?)`
/** `add a comment`, `fix all the typos`: the verb stands at most four words before. */
const done = String.raw`\b(?:add|write|improve|update|fix|correct|clarify|complete|extend|expand|reword|rewrite|polish|proofread|remove|translate|mend|revise|tidy|clean up)\b(?:\s+[\w'()./-]+){0,4}?\s+${words}`
const asked = new RegExp(
  [
    String.raw`^\s*(?:docs?|documentation|comments?)(?:\([^)]*\))?\s*:`,
    String.raw`(?:^|[.;:\n]\s*|\b(?:and|please|to|then)\s+)(?:document|describe|explain|comment)\b(?!\s+(?:box|field|form|list|model|page|parser|store|table|thread|upload)s?\b)`,
    String.raw`${done}\b(?![\w/-]|\.\w)(?!\s+(?:api|box|button|count|counter|endpoint|field|form|list|model|page|parser|parsing|route|section|support|system|table|thread|view)s?\b)`,
  ].join('|'),
  'im',
)

/** The words end what they belong to: a search of docs and a parser of notes are programs. */
const namesWords = new RegExp(
  String.raw`\b(?:${words}|guides?|manuals?|change ?logs?|release notes)\b(?=\s*(?:$|[.:]|(?:how|on|about|for|of|with|to|that|which|what|why|where|when)\b))`,
  'i',
)
const asksForMore = /\b(?:and|then|also|plus)\b|[,;+&]/i

/**
 * Whether a title speaks of documents and of nothing else: `Say in the README how to install`. `changed`: the documents
 * of the patch, which the title may name by their file names.
 */
export function speaksOfWords({ title }: Pick<TaskText, 'title'>, changed: readonly string[]): boolean {
  if (asksForMore.test(title)) return false
  const said = title.toLowerCase()
  const names = changed.map((path) => (path.split('/').at(-1) ?? '').toLowerCase()).filter((name) => name.includes('.'))
  return namesWords.test(title) || names.some((name) => said.includes(name))
}

/** A task of a kind that asks for behaviour is not about words, whatever it mentions. */
const ofWords: ReadonlySet<TaskType | null> = new Set<TaskType | null>(['docs', 'chore', 'refactor', 'setup', null])

export function asksForWords({ type, title, description }: TaskWords): boolean {
  if (type === 'docs') return true
  return ofWords.has(type) && (asked.test(title) || asked.test(description ?? ''))
}

const named = /^\s*(?:(?:build|chore|deps)(?:\([^)]*\))?:\s*)?(?:(?:bump|upgrade)\b|update\b.*\bto v?\d)/i
const all =
  /^\s*(?:(?:build|chore|deps)(?:\([^)]*\))?:\s*)?(?:bump|upgrade|update)\s+(?:all\s+|the\s+|our\s+|dev\s+)*(?:dependencies|deps|lock ?file)\s*$/i

/**
 * Without findings about what the operator's own title asks for: `Bump left-pad to 2.0` brings another left-pad and its
 * lockfile. Another package beside it is still a finding, and so is another test runner.
 */
export function withoutAsked(found: readonly Finding[], { title }: Pick<TaskText, 'title'>): readonly Finding[] {
  if (!named.test(title) && !all.test(title)) return found
  const dependencies = found.filter(({ rule }) => rule === 'dependency')
  const said = new Set(title.toLowerCase().split(/\s+/))
  const isAsked = ({ what }: Finding): boolean => all.test(title) || said.has(packageOf(what).toLowerCase())
  if (!dependencies.every(isAsked)) return found
  return found.filter(({ rule }) => rule !== 'dependency' && rule !== 'lockfile')
}

/** `what the project depends on changed: devDependencies.tiny-dates` */
function packageOf(what: string): string {
  return what.slice(what.lastIndexOf(': ') + 2).replace(/^\w+\./, '')
}
