// Roles answer in JSON. It is parsed strictly: the whole message, or the one fenced block in it; never a guess.

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string }

export type Fields = Readonly<Record<string, unknown>>

export function jsonAnswer(message: string): Answer<Fields> {
  const text = message.trim()
  const fenced = [...text.matchAll(/^```(?:json)?[ \t]*\n([\s\S]*?)\n```[ \t]*$/gm)]
  if (fenced.length > 1) return bad('the message holds more than one fenced block; answer with one JSON object')
  const json = fenced[0]?.[1] ?? text
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return bad('the message is not one JSON object')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return bad('the answer must be a JSON object')
  return { ok: true, value: value as Fields }
}

export function bad(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem }
}

export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
