// Guesses the known word that was meant.

const WORD_LENGTH_MAX = 100

/** The known word closest to what was written, or null where none is close. */
export function nearest(written: string, known: readonly string[]): string | null {
  // Longer than any known word: nothing is near, and the work stays bounded for any input.
  if (written.length > WORD_LENGTH_MAX) return null
  let best: string | null = null
  let bestDistance = Number.POSITIVE_INFINITY
  for (const word of known) {
    const distance = distanceBetween(written.toLowerCase(), word.toLowerCase())
    if (distance < bestDistance && distance <= tolerance(written, word)) {
      best = word
      bestDistance = distance
    }
  }
  return best
}

/** A third of the longer word may differ, and one letter always may. */
function tolerance(written: string, word: string): number {
  return Math.max(1, Math.floor(Math.max(written.length, word.length) / 3))
}

function distanceBetween(written: string, word: string): number {
  // `budget` for `budget_usd`: a common beginning is a better hint than the missing letters.
  if (written.length >= 3 && written !== word && word.startsWith(written)) return 1
  return editDistance(written, word)
}

/** Counts inserted, deleted and replaced letters, and swapped neighbours. */
function editDistance(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1))
      const swapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return at(last, other.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
