// Durations as people write them: `20m`, `90s`, `1h30m`, `500ms`.

const units = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const

// Each unit at most once and the larger first; seven digits reach far beyond every bound without losing precision.
const form = /^(?:(\d{1,7})h)?(?:(\d{1,7})m(?!s))?(?:(\d{1,7})s)?(?:(\d{1,7})ms)?$/

/** Milliseconds, or null where the text is no duration. */
export function parseDuration(text: string): number | null {
  const match = text === '' ? null : form.exec(text)
  if (match === null) return null
  return Object.values(units).reduce((sum, size, index) => sum + size * Number(match[index + 1] ?? 0), 0)
}

export function formatDuration(milliseconds: number): string {
  let rest = milliseconds
  let text = ''
  for (const [name, size] of Object.entries(units)) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) text += `${count}${name}`
  }
  return text === '' ? '0s' : text
}
