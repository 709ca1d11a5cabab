// Splits bytes into lines. A line may arrive in many chunks and be longer than memory, so only its beginning is
// kept.
import { type Capture, startCapture } from '../system/process/head-tail-buffer.ts'

export interface Lines {
  /** The buffer is reused: copy what you keep. */
  readonly add: (chunk: Buffer) => void
  /** A last line that no newline ends is a line too. */
  readonly end: () => void
}

const NEWLINE = 0x0a

/** Bad UTF-8 becomes U+FFFD. A line longer than `bytesMax` ends with how much of it was left out. */
export function startLines(bytesMax: number, onLine: (line: string) => void): Lines {
  let begun: Capture | null = null
  const keep = (piece: Buffer): void => {
    begun ??= startCapture({ headBytes: bytesMax, tailBytes: 0 })
    begun.add(piece)
  }
  const finish = (): void => {
    if (begun === null) return
    const { head, omittedBytes } = begun.captured()
    begun = null
    onLine(omittedBytes === 0 ? lineText(head) : `${beginning(head)}… ${omittedBytes} bytes left out`)
  }
  return {
    add: (chunk) => {
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        const piece = chunk.subarray(from, at)
        from = at + 1
        if (begun === null && piece.length <= bytesMax) onLine(lineText(piece))
        else {
          keep(piece)
          finish()
        }
      }
      if (from < chunk.length) keep(chunk.subarray(from))
    },
    end: finish,
  }
}

function lineText(bytes: Buffer): string {
  const isCrLf = bytes.at(-1) === 0x0d
  return bytes.toString('utf8', 0, isCrLf ? bytes.length - 1 : bytes.length)
}

/** Where the cut tears a character apart, its first bytes are left out too. */
function beginning(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })
}
