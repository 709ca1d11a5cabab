// Formats keys and values for messages.

const SHOWN_LENGTH_MAX = 40

/** A value as in the file; long ones are cut, tables and lists only named. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return shownText(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return 'a list'
  return value instanceof Date ? 'a date' : 'a table'
}

function shownText(text: string): string {
  const letters = [...text]
  return JSON.stringify(
    letters.length <= SHOWN_LENGTH_MAX ? text : `${letters.slice(0, SHOWN_LENGTH_MAX - 1).join('')}…`,
  )
}

/** `limits.attempts`; names are quoted where TOML requires it, so every path has one spelling. */
export function dottedKey(path: readonly string[]): string {
  return path.map(keyText).join('.')
}

/** One name of a key, quoted where TOML needs it. */
export function keyText(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : tomlString(name)
}

/** A TOML basic string. JSON's escapes are all TOML escapes; only DEL must be escaped in TOML and is not in JSON. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F')
}
