// Our hooks in `.claude/settings.json`, which belongs to the user: everything else in it stays.
import { refuse } from '../../core/error/error.ts'

/** The command that `sh` runs, by event of Claude Code. */
export type ClaudeHooks = Readonly<Record<string, string>>

/** Claude Code stops a hook that takes longer. */
const TIMEOUT_SECONDS = 10

type Fields = Readonly<Record<string, unknown>>

/** The file with our hooks; null where it has them already. `text` is null where there is no file. */
export function withHooks(path: string, text: string | null, hooks: ClaudeHooks): string | null {
  const settings = text === null ? {} : settingsIn(path, text)
  const before = fieldsOf(path, 'hooks', settings['hooks'])
  const missing = Object.entries(hooks).filter(
    ([event, command]) => !listOf(path, event, before[event]).some((group) => runs(group, command)),
  )
  if (missing.length === 0) return null
  const added = missing.map(([event, command]) => [event, [...listOf(path, event, before[event]), groupOf(command)]])
  const after = { ...settings, hooks: { ...before, ...Object.fromEntries(added) } }
  return `${JSON.stringify(after, null, indentOf(text))}\n`
}

function groupOf(command: string): Fields {
  return { hooks: [{ type: 'command', command, timeout: TIMEOUT_SECONDS }] }
}

function runs(group: unknown, command: string): boolean {
  const hooks = isFields(group) && Array.isArray(group['hooks']) ? (group['hooks'] as unknown[]) : []
  return hooks.some((hook) => isFields(hook) && hook['command'] === command)
}

function settingsIn(path: string, text: string): Fields {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (isFields(value)) return value
  } catch {
    // The error below covers this, too.
  }
  throw bad(path, 'it is not one JSON object')
}

function fieldsOf(path: string, name: string, value: unknown): Fields {
  if (value === undefined) return {}
  if (!isFields(value)) throw bad(path, `'${name}' is not an object`)
  return value
}

function listOf(path: string, event: string, value: unknown): readonly unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw bad(path, `'hooks.${event}' is not a list`)
  return value
}

function bad(path: string, problem: string): Error {
  return refuse('SETTINGS_BAD', { path, problem })
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The user's indentation; two spaces where it cannot be told. */
function indentOf(text: string | null): string {
  return /^[{][^\S\n]*\n([ \t]+)/.exec(text ?? '')?.[1] ?? '  '
}
