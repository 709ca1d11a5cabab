// Compares values as JSON has them, and finds one by its path.
import type { Json } from './example.ts'

/** Of a number with a fraction: two ways to add prices differ in the last digit. */
const TOLERANCE = 1e-9

export function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return isSameNumber(one, other)
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, at) => isSameJson(item, other[at]))
    )
  const [names, otherNames] = [Object.keys(one), Object.keys(other)]
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>]
  return (
    names.length === otherNames.length &&
    names.every((name) => Object.hasOwn(right, name) && isSameJson(left[name], right[name]))
  )
}

function isSameNumber(one: number, other: number): boolean {
  if (one === other) return true
  if (Number.isInteger(one) && Number.isInteger(other)) return false
  return Math.abs(one - other) <= TOLERANCE * Math.max(1, Math.abs(one), Math.abs(other))
}

/** The names and places of `$.items[0].name` or `$.items.0["a b"]`; null: it is no path. */
export function pathSteps(path: string): readonly string[] | null {
  if (!path.startsWith('$')) return null
  const steps: string[] = []
  const step = /\.([\p{L}\p{N}_$-]+)|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]|\['([^']*)'\]/uy
  step.lastIndex = 1
  while (step.lastIndex < path.length) {
    const found = step.exec(path)
    if (found === null) return null
    const [, name, place, quoted, single] = found
    steps.push(name ?? place ?? single ?? unquoted(quoted ?? '""'))
  }
  return steps
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}

/** Undefined: there is nothing at the path. */
export function valueAt(value: unknown, path: string): Json | undefined {
  let at: unknown = value
  for (const step of pathSteps(path) ?? []) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    at = (at as Record<string, unknown>)[step]
  }
  return at as Json
}
