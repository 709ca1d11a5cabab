import type { ValidatorReport } from '../core/evidence/evidence.ts'
import { withoutEscapes } from '../core/test-output/plain-lines.ts'
import { cutToBytes, utf8Length } from '../core/values/text-bounds.ts'

const ERRORS_MAX = 100
const ERROR_BYTES_MAX = 500
/** Kept with the evidence; a longer text is left out. */
const HTML_BYTES_MAX = 64 * 1024

/** `{"ok": false, "errors": [...], "normalized_html": "..."}` on stdout, perhaps after lines of a script runner. */
export function reportIn(stdout: string): ValidatorReport | null {
  const text = withoutEscapes(stdout)
  const start = /^\{/m.exec(text)?.index
  if (start === undefined) return null
  const value = parseReport(text.slice(start))
  if (value === null || typeof value['ok'] !== 'boolean') return null
  const { ok, errors, normalized_html: html } = value
  return {
    ok,
    errors: Array.isArray(errors) ? errors.slice(0, ERRORS_MAX).map(sentence) : [],
    normalizedHtml: typeof html === 'string' && utf8Length(html) <= HTML_BYTES_MAX ? html : null,
  }
}

function parseReport(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null
  } catch {
    return null
  }
}

function sentence(error: unknown): string {
  return cutToBytes(typeof error === 'string' ? error : JSON.stringify(error), ERROR_BYTES_MAX)
}
