// The readers of one build. Each fact is read from the store once and put into words once for all who are up to date; who
// comes late or is slow reads from where it is, and catches up. Nothing is read that no reader has room for.
import type { Build } from '../../core/builds/build.ts'
import { type Piece, piecesOf } from './feed-piece.ts'
import type { BuildContext } from '../builds/builds.ts'

/** Facts that are read at once. */
const PAGE = 200
/** Pieces that are kept for those who are only a little behind. */
const PIECES_MAX = 64
/** Of one page; where facts are long, the rest of it is read again. */
const PIECES_AT_ONCE = 16

export interface Reader {
  /** What was asked for: a build, or an idea that is followed from build to build. */
  readonly ref: string
  /** The last fact that it was given. */
  seq: number
  /** It has no room; what comes now waits in the store. */
  isFull: boolean
  isGone: boolean
  /** False: that was enough for now. */
  readonly take: (piece: Piece) => boolean
  readonly fail: (error: unknown) => void
}

export interface Channel {
  readonly context: BuildContext
  readonly build: Build
  readonly readers: Set<Reader>
  /** The next build of the idea, once it is known. */
  next: Build | null
  /** There may be more in the store. */
  readonly refresh: () => void
  /** Of what is recorded so far. */
  readonly hasAll: (reader: Reader) => boolean
  readonly pump: (reader: Reader) => void
}

/** `idle`: some reader has all that is recorded; told after every change. */
export function openChannel(context: BuildContext, build: Build, idle: (channel: Channel) => void): Channel {
  const readers = new Set<Reader>()
  /** By the number of the fact before. */
  const pieces = new Map<number, Piece>()
  /** Where nothing comes after, so far. */
  const dry = new Set<number>()
  const reading = new Set<number>()
  let refreshes = 0

  /** Where they end. */
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
