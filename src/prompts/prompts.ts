// The prompts of the agents. The user's own templates (`.ralph/prompts/PROMPT_build.md`, …) override the embedded ones;
// they are read and checked once, when a build starts, so that a mistake does not surface in the middle of the night.
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse } from '../core/error/error.ts'
import { errnoOf } from '../system/errno.ts'
import { embedded, PROMPT_NAMES, type Prompt, type PromptName } from './embedded.ts'
import { fillTemplate, placesIn } from './template.ts'

/** A template is a page of text, without the values that fill it. */
export const TEMPLATE_BYTES_MAX = 256 * 1024

export interface Prompts {
  readonly fill: (name: PromptName, values: Readonly<Record<string, string>>) => Promise<string>
}

export interface PromptsSource {
  /** Null: there are no overrides. A missing folder has none either. */
  readonly overrideFolder: string | null
}

export async function openPrompts({ overrideFolder }: PromptsSource): Promise<Prompts> {
  const own = overrideFolder === null ? new Map<PromptName, string>() : await readOverrides(overrideFolder)
  return {
    fill: async (name, values) => {
      requireValues(name, values)
      return fillTemplate(own.get(name) ?? embedded[name].template, values)
    },
  }
}

/** Caller and templates must agree; a value that no template uses is a mistake too. */
function requireValues(name: PromptName, values: Readonly<Record<string, string>>): void {
  const { required, optional } = embedded[name]
  const known = [...required, ...optional]
  const missing = known.filter((place) => !Object.hasOwn(values, place))
  const strange = Object.keys(values).filter((place) => !known.includes(place))
  if (missing.length + strange.length === 0) return
  const reason = `the prompt ${name} is filled without ${missing.join(', ') || 'nothing'} and with unknown ${strange.join(', ') || 'nothing'}`
  throw refuse('INTERNAL', { reason })
}

async function readOverrides(folder: string): Promise<ReadonlyMap<PromptName, string>> {
  const own = new Map<PromptName, string>()
  for (const file of await filesIn(folder)) {
    const path = join(folder, file)
    const name = PROMPT_NAMES.find((one) => file === fileName(one))
    if (name === undefined)
      throw refuse('PROMPT_BAD', {
        path,
        problem: `no prompt has this name; known are ${PROMPT_NAMES.map(fileName).join(', ')}`,
      })
    own.set(name, requireUsable(path, await readTemplate(path), embedded[name]))
  }
  return own
}

function fileName(name: PromptName): string {
  return `PROMPT_${name}.md`
}

/** The folder may hold other files. */
async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((file) => /^PROMPT_.*\.md$/i.test(file)).toSorted()
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw refuse('FILE_UNREADABLE', { path: folder, reason: errnoOf(error) }, error)
  }
}

async function readTemplate(path: string): Promise<string> {
  const bytes = await readBounded(path)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw refuse('PROMPT_BAD', { path, problem: 'it is not valid UTF-8; save it as UTF-8' }, error)
  }
}

async function readBounded(path: string): Promise<Buffer> {
  const file = await open(path).catch((error: unknown) => {
    throw refuse('FILE_UNREADABLE', { path, reason: errnoOf(error) }, error)
  })
  try {
    const { size } = await file.stat()
    if (size > TEMPLATE_BYTES_MAX)
      throw refuse('PROMPT_BAD', {
        path,
        problem: `it has ${size} bytes, the most is ${TEMPLATE_BYTES_MAX}; shorten it`,
      })
    return await file.readFile()
  } catch (error) {
    if (errnoOf(error) === 'EISDIR') throw refuse('FILE_UNREADABLE', { path, reason: 'EISDIR' }, error)
    throw error
  } finally {
    await file.close()
  }
}

function requireUsable(path: string, template: string, { required, optional }: Prompt): string {
  const places = placesIn(template)
  const known = [...required, ...optional]
  const strange = places.find((place) => !known.includes(place))
  if (strange !== undefined)
    throw refuse('PROMPT_BAD', {
      path,
      problem: `nothing fills {{${strange}}}; known are ${known.map(withBraces).join(', ')}, and \\{{ is a plain {{`,
    })
  const missing = required.find((place) => !places.includes(place))
  if (missing !== undefined) throw refuse('PROMPT_BAD', { path, problem: `it lacks ${withBraces(missing)}; add it` })
  return template
}

function withBraces(place: string): string {
  return `{{${place}}}`
}
