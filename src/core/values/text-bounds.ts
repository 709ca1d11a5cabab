// Bounds texts by hand: the core has neither Buffer nor TextEncoder. Each function is one pass.

/** Bytes of the text in UTF-8; a lone surrogate counts as the three bytes of the character that replaces it. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (let at = 0; at < text.length; at += unitsAt(text, at)) bytes += bytesAt(text, at)
  return bytes
}

/** The longest prefix of at most `bytes` in UTF-8 that splits no character. */
export function cutToBytes(text: string, bytes: number): string {
  let left = bytes
  let at = 0
  while (at < text.length && bytesAt(text, at) <= left) {
    left -= bytesAt(text, at)
    at += unitsAt(text, at)
  }
  return text.slice(0, at)
}

/** The longest prefix of at most `length` UTF-16 units (as `.length` counts) that splits no character. */
export function cutToLength(text: string, length: number): string {
  if (text.length <= length) return text
  return text.slice(0, unitsAt(text, length - 1) === 2 ? length - 1 : length)
}

function unitsAt(text: string, at: number): 1 | 2 {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}

function bytesAt(text: string, at: number): 1 | 2 | 3 | 4 {
  const point = text.codePointAt(at) ?? 0
  if (point < 0x80) return 1
  if (point < 0x800) return 2
  return point > 0xffff ? 4 : 3
}
