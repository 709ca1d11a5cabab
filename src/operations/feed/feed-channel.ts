// The readers of one build. Each fact is read and serialised once for all readers that are up to date; a late or slow
// reader continues from its own position and catches up. The channel reads nothing that no reader has room for.
import type { Build } from '../../core/builds/build.ts'
import { type Piece, piecesOf } from './feed-piece.ts'
import type { BuildContext } from '../builds/builds.ts'

/** Facts of one read. */
const PAGE = 200
/** Pieces kept for readers that are only a little behind. */
const PIECES_MAX = 64
/** Pieces of one page. If facts are long, the rest of the page is read again. */
const PIECES_AT_ONCE = 16

export interface Reader {
  /** What the reader asked for: a build, or an idea that it follows from build to build. */
  readonly ref: string
  /** The last fact it was given. */
  seq: number
  /** It has no room; new facts wait in the store. */
  isFull: boolean
  isGone: boolean
  /** False: enough for now. */
  readonly take: (piece: Piece) => boolean
  readonly fail: (error: unknown) => void
}

export interface Channel {
  readonly context: BuildContext
  readonly build: Build
  readonly readers: Set<Reader>
  /** The next build of the idea, once it is known. */
  next: Build | null
  /** Call this when the store may have more. */
  readonly refresh: () => void
  /** Whether the reader has everything that is recorded so far. */
  readonly hasAll: (reader: Reader) => boolean
  readonly pump: (reader: Reader) => void
}

/** `idle`: called after every change when some reader has everything that is recorded. */
export function openChannel(context: BuildContext, build: Build, idle: (channel: Channel) => void): Channel {
  const readers = new Set<Reader>()
  /** By the number of the fact before. */
  const pieces = new Map<number, Piece>()
  /** Positions that nothing follows so far. */
  const dry = new Set<number>()
  const reading = new Set<number>()
  let refreshes = 0

  /** Returns the position after them. */
  const keep = (after: number, found: readonly Piece[]): number => {
    for (const oldest of pieces.keys()) {
      if (pieces.size + found.length <= PIECES_MAX) break
      pieces.delete(oldest)
    }
    return found.reduce((before, piece) => {
      pieces.set(before, piece)
      return piece.last
    }, after)
  }

  const readAfter = async (after: number): Promise<void> => {
    if (reading.has(after)) return
    reading.add(after)
    const at = refreshes
    try {
      const recorded = await context.store.builds.facts(build.id, after, PAGE)
      const found = piecesOf(build, recorded)
      const end = keep(after, found.slice(0, PIECES_AT_ONCE))
      if (recorded.length < PAGE && found.length <= PIECES_AT_ONCE && at === refreshes) dry.add(end)
    } catch (error) {
      for (const reader of readers) {
        if (reader.seq !== after) continue
        reader.isGone = true
        reader.fail(error)
      }
    } finally {
      reading.delete(after)
    }
    for (const reader of readers) pump(reader)
    if (dry.size > 0) idle(channel)
  }

  const pump = (reader: Reader): void => {
    while (!reader.isFull && !reader.isGone) {
      const piece = pieces.get(reader.seq)
      if (piece === undefined) {
        if (!dry.has(reader.seq)) void readAfter(reader.seq)
        return
      }
      reader.seq = piece.last
      reader.isFull = !reader.take(piece)
    }
  }

  const refresh = (): void => {
    refreshes += 1
    dry.clear()
    for (const reader of readers) pump(reader)
  }
  const hasAll = ({ seq }: Reader): boolean => dry.has(seq)
  const channel: Channel = { context, build, readers, next: null, refresh, hasAll, pump }
  return channel
}
