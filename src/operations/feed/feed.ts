// The live feed: every fact of a build from a position on, none lost and none repeated, whichever process records them.
// A reader that follows an idea continues with its next build.
import type { Build } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import { type BuildContext, buildNamed } from '../builds/builds.ts'
import { type Channel, openChannel, type Reader } from './feed-channel.ts'
import type { Piece } from './feed-piece.ts'
import type { CardPlace } from '../read/idea-cards.ts'
import { placeKnowing, repositoriesMeant } from './which-repository.ts'

/** For one idea: a reader that was away for longer continues with the newest builds. */
const BUILDS_MAX = 1_000

export interface FeedStart {
  /** The build that `after` counts in; null: the one that is found. */
  readonly build: string | null
  readonly after: number
}

/** `17`, or `b_1:17`; the contract has checked its form. */
export function feedStart(text: string): FeedStart {
  const at = text.lastIndexOf(':')
  return { build: at === -1 ? null : text.slice(0, at), after: Number(text.slice(at + 1)) }
}

export interface FeedRequest {
  readonly ref: string
  /** The repository; needed where several know the build or idea. */
  readonly repository?: string | undefined
  readonly start: FeedStart
  /** False: enough for now; the reader calls `goOn` when it has room again. */
  readonly take: (piece: Piece) => boolean
  readonly fail: (error: unknown) => void
}

export interface Following {
  readonly goOn: () => void
  readonly end: () => void
}

export interface Feed {
  /** Refuses an unknown build. An unknown idea may still come. Refuses what several repositories know. */
  readonly require: (ref: string, repository?: string) => Promise<void>
  /** Waits for the build of an idea that has none yet. */
  readonly follow: (request: FeedRequest) => Following
  readonly readers: () => number
}

/** One watch on each store for all readers; it ends when `signal` is aborted. */
export function openFeed(places: readonly CardPlace[], signal: AbortSignal): Feed {
  const readerChannels = openReaderChannels()
  /** Readers whose build does not exist yet. */
  const early = new Map<Reader, PendingStart>()

  const begin = async (reader: Reader, { contexts, start }: PendingStart): Promise<void> => {
    try {
      const found = await firstBuild(contexts, reader.ref, start)
      // Another call may have been faster.
      if (found === null || !early.delete(reader)) return
      readerChannels.join(reader, found, start.build === null || start.build === found.build.id ? start.after : 0)
    } catch (error) {
      reader.fail(error)
    }
  }
  const watch = async (context: BuildContext): Promise<void> => {
    for await (const _ of context.store.changes(signal)) {
      readerChannels.refresh(context)
      for (const [reader, wanted] of early) if (wanted.contexts.includes(context)) await begin(reader, wanted)
    }
  }
  for (const { context } of places) void watch(context)

  return {
    require: async (ref, repository) => {
      const meant = repositoriesMeant(places, repository)
      const knowing = await placeKnowing(meant, ref)
      if (knowing === null && ref.startsWith('b_')) throw refuse('BUILD_NOT_FOUND', { id: ref })
    },
    readers: () => readerChannels.readers() + early.size,
    follow: ({ ref, repository, start, take, fail }) => {
      const reader: Reader = { ref, seq: 0, isFull: false, isGone: false, take, fail }
      const wanted = { contexts: repositoriesMeant(places, repository).map(({ context }) => context), start }
      early.set(reader, wanted)
      void begin(reader, wanted)
      return {
        goOn: () => {
          reader.isFull = false
          readerChannels.pump(reader)
        },
        end: () => {
          reader.isGone = true
          early.delete(reader)
          readerChannels.leave(reader)
        },
      }
    },
  }
}

/** Where a reader whose build does not exist yet looks for it. */
interface PendingStart {
  readonly contexts: readonly BuildContext[]
  readonly start: FeedStart
}

/** Which reader follows which build. */
interface ReaderChannels {
  readonly join: (reader: Reader, found: FoundBuild, after: number) => void
  readonly leave: (reader: Reader) => void
  readonly pump: (reader: Reader) => void
  readonly refresh: (context: BuildContext) => void
  readonly readers: () => number
}

function openReaderChannels(): ReaderChannels {
  const channels = new Map<string, Channel>()
  const places = new Map<Reader, Channel>()

  const join: ReaderChannels['join'] = (reader, { context, build }, after) => {
    const channel = channels.get(build.id) ?? openChannel(context, build, (idle) => void passOn(idle))
    channels.set(build.id, channel)
    reader.seq = after
    channel.readers.add(reader)
    places.set(reader, channel)
    channel.pump(reader)
  }
  const leave: ReaderChannels['leave'] = (reader) => {
    const channel = places.get(reader)
    channel?.readers.delete(reader)
    places.delete(reader)
    if (channel?.readers.size === 0) channels.delete(channel.build.id)
  }
  /**
   * A reader that follows an idea and has all facts of a build continues with the next one, once nothing more can come.
   */
  const passOn = async (channel: Channel): Promise<void> => {
    const { context, build, readers } = channel
    if (readers.values().every(({ ref }) => ref === build.id)) return
    const next = channel.next ?? (await buildAfter(context, build).catch(() => null))
    if (next === null) return
    if (channel.next === null) {
      channel.next = next
      channel.refresh()
      return
    }
    for (const reader of readers) {
      if (reader.ref === build.id || !channel.hasAll(reader)) continue
      leave(reader)
      join(reader, { context, build: next }, 0)
    }
  }
  return {
    join,
    leave,
    pump: (reader) => places.get(reader)?.pump(reader),
    refresh: (context) => {
      for (const channel of channels.values()) if (channel.context === context) channel.refresh()
    },
    readers: () => places.size,
  }
}

interface FoundBuild {
  readonly context: BuildContext
  readonly build: Build
}

async function findIn(contexts: readonly BuildContext[], ref: string): Promise<FoundBuild | null> {
  for (const context of contexts) {
    const build = await buildNamed(context, ref)
    if (build !== null) return { context, build }
  }
  return null
}

/** The build that a reader has begun comes before the idea's newest one. */
async function firstBuild(
  contexts: readonly BuildContext[],
  ref: string,
  start: FeedStart,
): Promise<FoundBuild | null> {
  const newest = await findIn(contexts, ref)
  if (newest === null || start.build === null || start.build === newest.build.id) return newest
  const before = await buildNamed(newest.context, start.build)
  const isOfIt = before !== null && before.id === start.build && before.idea === newest.build.idea
  return isOfIt ? { context: newest.context, build: before } : newest
}

async function buildAfter({ store, scope }: BuildContext, { id, idea }: Build): Promise<Build | null> {
  const [newest] = await store.builds.list(scope, { idea, limit: 1 })
  if (newest === undefined || newest.id === id) return null
  const newestFirst = await store.builds.list(scope, { idea, limit: BUILDS_MAX })
  return newestFirst[newestFirst.findIndex((one) => one.id === id) - 1] ?? null
}
