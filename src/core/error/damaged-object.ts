// Git's messages for an object whose content does not match its name.

const WORDS: readonly RegExp[] = [
  /hash mismatch ([0-9a-f]{40,64})/,
  /did not receive expected object ([0-9a-f]{40,64})/,
]

/** Null where the text reports none. */
export function damagedObject(words: string): string | null {
  for (const pattern of WORDS) {
    const id = pattern.exec(words)?.[1]
    if (id !== undefined) return id
  }
  return null
}
