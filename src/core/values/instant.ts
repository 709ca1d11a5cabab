import type { Instant } from './id.ts'

/** UTC `YYYY-MM-DD HH:MM:SS`, the one form in which people and scripts see a time. */
export function formatInstant(at: Instant): string {
  return new Date(at)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '')
}
