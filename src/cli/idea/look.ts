// `ralph idea list` and `show`
import { refuse } from '../../core/error/error.ts'
import type { Idea } from '../../core/idea/idea.ts'
import { formatInstant } from '../../core/values/instant.ts'
import { findIdea, listIdeas, pipelinePhase, type ShownIdea, showIdea } from '../../operations/ideas/ideas.ts'
import { hasStore, openBuildContext } from '../run/build-context.ts'
import { firstLine, shownLines, shownText } from '../text/sanitize.ts'
import type { Call, Command } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { table } from '../table.ts'

const LIMIT = 50

export const list: Command = {
  usage: 'idea list [--phase a,b] [--limit 50] [--after CURSOR]',
  who: 'anyone',
  about: 'The ideas of this repository and branch, newest first.',
  flags: [
    { long: 'phase', takes: 'list', value: 'a,b', about: 'only those in these phases' },
    { long: 'limit', takes: 'value', value: 'N', about: 'so many at most, up to 1000' },
    { long: 'after', takes: 'value', value: 'CURSOR', about: 'go on after a page that ended there' },
  ],
  wordsMax: 0,
  run: async (call) => {
    const [phase, after] = [call.flags.get('phase'), call.flags.get('after')]
    const query = {
      limit: Number(call.flags.get('limit') ?? LIMIT),
      ...(phase === undefined ? {} : { phases: phase.split(',').map(pipelinePhase) }),
      ...(after === undefined ? {} : { after }),
    }
    const page = hasStore(call) ? await listIdeas(await openBuildContext(call), query) : { ideas: [], next: null }
    if (call.wantsJson) return printJson(page)
    if (page.ideas.length > 0) print(table(['ID', 'PHASE', 'TITLE'], page.ideas.map(row)))
    else printError("No ideas; 'ralph idea add TEXT' writes one down.\n")
    if (page.next !== null) printError(`There are more: ralph idea list --after ${page.next}\n`)
  },
}

function row({ id, phase, title }: Idea): string[] {
  return [shownText(id), phase, firstLine(title)]
}

export const show: Command = {
  usage: 'idea show ID',
  who: 'anyone',
  about: 'All about one idea: its words and spec, where it may go, and who moved it when and why.',
  flags: [],
  wordsMax: 1,
  run: async (call) => {
    const shown = await showIdea(await openIdeaContext(call), ideaNamed(call))
    if (call.wantsJson) return printJson({ ...shown.idea, legal: shown.legal, build: shown.build, moves: shown.moves })
    print(shownIdea(shown))
  },
}

export function ideaNamed(call: Call): string {
  const [id] = call.words
  if (id === undefined) throw refuse('USAGE', { message: 'missing idea ID' })
  return id
}

/** Without a store there is no idea, and looking does not make one. */
export async function openIdeaContext(call: Call): ReturnType<typeof openBuildContext> {
  const id = ideaNamed(call)
  if (!hasStore(call)) throw refuse('IDEA_NOT_FOUND', { id })
  const context = await openBuildContext(call)
  await findIdea(context, id)
  return context
}

const LABEL_WIDTH = 13

function shownIdea({ idea, build, legal, moves }: ShownIdea): string {
  const line = (label: string, value: string | null): string =>
    value === null ? '' : `${`${label}:`.padEnd(LABEL_WIDTH)}${shownText(value)}\n`
  const from = idea.resumes === null ? '' : ` (from ${idea.resumes})`
  const block = (title: string, text: string): string =>
    `\n${title}:\n${shownLines(text)
      .map((one) => `  ${one}`.trimEnd())
      .join('\n')}\n`
  const entries = moves.map(({ at, by, from: was, to, reason, overridden }) => {
    const despite = overridden.length === 0 ? '' : ` [overridden: ${overridden.join(', ')}]`
    return `  ${formatInstant(at)}  ${was} -> ${to}, by ${shownText(by)}: ${firstLine(reason)}${despite}\n`
  })
  return [
    line('ID', idea.id),
    line('Title', idea.title),
    line('Phase', `${idea.phase}${from}`),
    line('Next', legal.join(', ')),
    line('Base', idea.project?.base ?? null),
    line('Advance', idea.advance),
    line('Build', build === null ? null : `${build.id} (${build.state})`),
    line('Spec', idea.spec?.id ?? null),
    line('Created', formatInstant(idea.createdAt)),
    line('Updated', formatInstant(idea.updatedAt)),
    ...(idea.text === idea.title ? [] : [block('Wanted', idea.text)]),
    ...(idea.spec === null || idea.spec.text.trim() === '' ? [] : [block('Spec', idea.spec.text)]),
    ...(entries.length === 0 ? [] : [`\nMoves:\n${entries.join('')}`]),
  ].join('')
}
