// Finds the sections of a progress file. The rest of the file belongs to its author.
import { headingOf, type Line, markdownLines, trimBlankLines, unescapeStructure } from '../values/markdown-lines.ts'

/** In the order of a file that Ralph writes. */
export const SECTIONS = [
  'Status',
  'Analysis',
  'Tasks',
  'Testing Strategy',
  'Completed This Iteration',
  'Recent Attempts',
  'Iteration Log',
] as const
export type SectionName = (typeof SECTIONS)[number]

export interface Section {
  readonly heading: Line
  /** The lines below the heading, up to the next heading of level 1 or 2. */
  readonly lines: readonly Line[]
  readonly end: number
}

export interface Outline {
  readonly text: string
  readonly eol: '\n' | '\r\n'
  /**
   * A fence or comment is opened somewhere and never closed: text that is inserted into this file must not close it.
   */
  readonly hasStray: boolean
  /** NAME of `# Progress: NAME` */
  readonly name: string | null
  /** In the order of the file; the first of two sections with one name. */
  readonly sections: ReadonlyMap<SectionName, Section>
}

export function outlineOf(text: string): Outline {
  const lines = markdownLines(text)
  const sections = new Map<SectionName, Section>()
  let name: string | null = null
  const parting = lines.flatMap((line, at) => {
    const heading = headingOf(line)
    return heading !== null && heading.level <= 2 ? [{ ...heading, line, at }] : []
  })
  for (const [index, { level, text: title, line, at }] of parting.entries()) {
    const next = parting[index + 1]
    const section = level === 2 ? sectionNamed(title) : undefined
    if (level === 1) name ??= nameIn(title)
    if (section === undefined || sections.has(section)) continue
    const body = lines.slice(at + 1, next?.at)
    sections.set(section, { heading: line, lines: body, end: next?.line.start ?? text.length })
  }
  const eol = text.includes('\n') && text[text.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n'
  return { text, eol, hasStray: lines.some((line) => line.kind === 'stray'), name, sections }
}

/** The text of these lines, without blank lines around it. */
export function textOf(lines: readonly Line[]): string {
  return trimBlankLines(lines)
    .map((line) => unescapeStructure(line.text, line.kind))
    .join('\n')
}

function nameIn(title: string): string | null {
  return title.toLowerCase().startsWith('progress:') ? title.slice('progress:'.length).trim() : null
}

/** `## tasks`, `## Tasks:` and `## Tasks ##` are all the Tasks section. */
function sectionNamed(title: string): SectionName | undefined {
  const lower = title.toLowerCase()
  return SECTIONS.find((name) => lower.startsWith(name.toLowerCase()) && /^[\s#:]*$/.test(lower.slice(name.length)))
}
