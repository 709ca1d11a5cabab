// Selects the files of a project for an agent that cannot read them itself, and how much of each: the files that the
// task expects, those that it names, and those that contain its words. The total is bounded.

/** One token is about 4 characters, in code as in prose. */
const SNIPPETS_TOKENS_MAX = 24_000
const CHARACTERS_PER_TOKEN = 4
const SNIPPETS_LENGTH_MAX = SNIPPETS_TOKENS_MAX * CHARACTERS_PER_TOKEN
/** A longer file would leave no room for the others. */
const FILE_LENGTH_MAX = SNIPPETS_LENGTH_MAX / 3
/** The maximum of shown files. */
export const SNIPPETS_MAX = 24
const LISTED_MAX = 400
export const SEARCH_WORDS_MAX = 8

export interface SnippetRequest {
  /** All files of the project. */
  readonly files: readonly string[]
  readonly expected: readonly string[]
  /** The task, and the feedback on the work so far. */
  readonly text: string
  /** By path: how many of the searched words the file contains. */
  readonly hits: ReadonlyMap<string, number>
}

const manifests: readonly string[] = ['package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod', 'deno.json', 'Makefile']

/** The most relevant first. */
export function filesToShow({ files, expected, text, hits }: SnippetRequest): string[] {
  const there = new Set(files)
  const named = new Set(text.split(/[\s'"`()<>[\]{},;:|]+/).map((word) => word.replace(/^\.\/|[.!?]+$/g, '')))
  const isNamed = (path: string): boolean => named.has(path) || named.has(path.slice(path.lastIndexOf('/') + 1))
  const found = [...hits].filter(([path]) => there.has(path)).toSorted(([, one], [, other]) => other - one)
  const order = [
    ...expected.filter((path) => there.has(path)),
    ...files.filter(isNamed),
    ...manifests.filter((path) => there.has(path)),
    ...found.map(([path]) => path),
  ]
  return [...new Set(order)].filter((path) => !isMade(path)).slice(0, SNIPPETS_MAX)
}

/** Long, and generated. */
function isMade(path: string): boolean {
  return /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|[\w.-]+\.min\.js|.*\.snap)$/.test(
    path,
  )
}

const ordinary: ReadonlySet<string> = new Set(
  'this that with from have must should when then than each every file files test tests task function which where their there them into only also returns return gives given value values using used make makes made adds added after before error errors true false null text list name names'.split(
    ' ',
  ),
)

/** Words of the task that are likely to occur in the code; the rarest first. */
export function wordsToSearch(text: string): string[] {
  const words = [...text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]{3,40}/gu)].map(([word]) => word)
  const unique = [...new Set(words)].filter((word) => !ordinary.has(word.toLowerCase()))
  const looksLikeCode = (word: string): number => (/[a-z][A-Z]|[_$\d]/.test(word) ? 1 : 0)
  return unique.toSorted((one, other) => looksLikeCode(other) - looksLikeCode(one)).slice(0, SEARCH_WORDS_MAX)
}

export function listFiles(files: readonly string[]): string {
  if (files.length === 0) return 'None: the project is empty.'
  const more = files.length - LISTED_MAX
  return [...files.slice(0, LISTED_MAX), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n')
}

/** Each file between tags with its path; a long file is cut, with a note. */
export function snippets(order: readonly string[], texts: ReadonlyMap<string, string>): string {
  const shown: string[] = []
  let left = SNIPPETS_LENGTH_MAX
  for (const path of order) {
    const text = texts.get(path)
    if (text === undefined || text.includes('\0')) continue
    const snippet = snippetOf(path, text, Math.min(FILE_LENGTH_MAX, left))
    if (snippet === null) continue
    left -= snippet.length
    shown.push(snippet)
  }
  return shown.length === 0 ? 'None.' : shown.join('\n')
}

function snippetOf(path: string, text: string, room: number): string | null {
  const frame = (attributes: string, body: string): string => `<file path="${path}"${attributes}>\n${body}</file>`
  const whole = frame('', text.endsWith('\n') || text === '' ? text : `${text}\n`)
  if (whole.length <= room) return whole
  const head = text.slice(0, Math.max(0, room - path.length - 80))
  const body = head.slice(0, head.lastIndexOf('\n') + 1)
  if (body === '') return null
  const [lines, all] = [body.split('\n').length - 1, text.split('\n').length]
  return frame(` shown="lines 1 to ${lines} of ${all}"`, body)
}
