// Replacements in a text.
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Of two edits where one lies inside the other, the outer one is made. Null: nothing changes. */
export function applyEdits(text: string, edits: readonly Edit[]): string | null {
  const ordered = edits.toSorted((a, b) => a.start - b.start || b.end - a.end)
  let made = ''
  let at = 0
  for (const edit of ordered) {
    if (edit.start < at) continue
    made += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  made += text.slice(at)
  return made === text ? null : made
}

export function replaceNode(node: { readonly start: number; readonly end: number }, text: string): Edit {
  return { start: node.start, end: node.end, text }
}
