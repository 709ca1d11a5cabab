// Reads a field of a program's output only if it has the expected type: the output is not trusted.

export type Fields = Readonly<Record<string, unknown>>

const NONE: Fields = {}

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : NONE
}

/** Null where a line is no JSON object. */
export function parseObject(line: string): Fields | null {
  if (!line.startsWith('{')) return null
  try {
    return fields(JSON.parse(line))
  } catch {
    return null
  }
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A number that counts something; all else is 0. */
export function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
