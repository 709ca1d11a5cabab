// A text as models say it: bit by bit.

/** Of a text or of a tool's input, in UTF-16 units: small ones come in a few bits, large ones in large bits. */
const BITS = 4
const BIT_LENGTH_MAX = 65_536

export function* bits(text: string): Generator<string> {
  const length = Math.min(BIT_LENGTH_MAX, Math.max(1, Math.ceil(text.length / BITS)))
  let at = 0
  while (at < text.length) {
    const end = at + length
    // A character outside the basic plane is two units, which stay together.
    const whole = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end
    yield text.slice(at, whole)
    at = whole
  }
}
