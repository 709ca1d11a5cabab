import type { Instant } from './id.ts'

/** UTC `YYYY-MM-DD HH:MM:SS`, the only form of a time for people and scripts. */
export function formatInstant(at: Instant): string {
  return new Date(at)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '')
}
