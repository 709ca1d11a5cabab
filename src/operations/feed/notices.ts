// Notifies people who are not watching, beside the loops and never in their way. It follows the facts in the store, so
// nothing waits in memory, and the next process sends what a crash left unsent.
import { setTimeout as sleep } from 'node:timers/promises'
import type { BuildId } from '../../core/values/id.ts'
import { type Memory, type Notice, NOTHING_TOLD, noticeOf } from '../../core/builds/notice.ts'
import { TRY_LIMIT_MS, type Way } from '../../notify/notify.ts'
import { followFacts } from '../builds/build-facts.ts'
import type { BuildContext } from '../builds/builds.ts'

/** Before the second and the third try. */
const PAUSES_MS = [1_000, 4_000] as const
/** A sender owns a notice for one try and the pause after it; then another one may send it. */
const CLAIM_MS = TRY_LIMIT_MS + 5_000
/** How long unsent notices may take after the work is over. */
const FLUSH_MS = CLAIM_MS + 1_000

export interface Notices {
  /** Sends what is recorded by now, within a limit. */
  readonly end: () => Promise<void>
}

export interface NoticeSettings {
  readonly build: BuildId
  readonly ways: readonly Way[]
  /** The name of the repository's folder. */
  readonly repository: string
  /** Gets what went wrong, one sentence, once for each way. */
  readonly note: (sentence: string) => void
}

export function sendNotices(
  context: Pick<BuildContext, 'store'>,
  settings: NoticeSettings,
  pausesMs: readonly number[] = PAUSES_MS,
): Notices {
  if (settings.ways.length === 0) return { end: async () => {} }
  const over = new AbortController()
  const late = new AbortController()
  const sender = openNoticeSender(context, settings, pausesMs, late.signal)
  const work = follow(context, settings.build, sender, over.signal, late.signal).catch((error: unknown) => {
    settings.note(`nobody is told any more (${error instanceof Error ? error.message : String(error)})`)
  })
  return {
    end: async () => {
      over.abort()
      const timer = setTimeout(() => late.abort(), FLUSH_MS)
      await work
      clearTimeout(timer)
    },
  }
}

async function follow(
  context: Pick<BuildContext, 'store'>,
  build: BuildId,
  sender: NoticeSender,
  over: AbortSignal,
  late: AbortSignal,
): Promise<void> {
  let memory: Memory = NOTHING_TOLD
  let busy: Notice[] = []
  for await (const facts of followFacts(context, build, 0, over)) {
    for (const recorded of facts) {
      const [next, notice] = noticeOf(memory, build, recorded)
      memory = next
      if (notice !== null) busy.push(notice)
    }
    busy = await sender.tell(busy)
  }
  // Another process had claimed them and may have been killed; its claim ends before our time does.
  while (busy.length > 0 && !late.aborted) {
    await sleep(500, undefined, { signal: late }).catch(() => {})
    busy = await sender.tell(busy)
  }
}

interface NoticeSender {
  /** Returns the notices that another process has claimed. */
  readonly tell: (notices: readonly Notice[]) => Promise<Notice[]>
}

function openNoticeSender(
  { store }: Pick<BuildContext, 'store'>,
  { build, ways, repository, note }: NoticeSettings,
  pausesMs: readonly number[],
  late: AbortSignal,
): NoticeSender {
  const failed = new Set<Way>()
  const done = new Set<number>()
  const send = async (way: Way, notice: Notice): Promise<void> => {
    for (let at = 0; ; at += 1) {
      const sent = await way.send({ ...notice, repository }, late)
      if (sent.is === 'sent') return
      const pause = pausesMs[at]
      if (pause === undefined || sent.again === 'useless' || late.aborted) {
        if (!failed.has(way)) note(`the ${way.name} could not be told (${sent.reason}); the build goes on without it`)
        failed.add(way)
        return
      }
      await sleep(pause, undefined, { signal: late }).catch(() => {})
      await store.notices.renew(build, notice.seq, CLAIM_MS)
    }
  }
  const tell = async (notices: readonly Notice[]): Promise<Notice[]> => {
    const left: Notice[] = []
    for (const notice of notices.filter(({ seq }) => !done.has(seq))) {
      const claim = late.aborted ? 'busy' : await store.notices.claim(build, notice.seq, CLAIM_MS)
      if (claim === 'busy') {
        left.push(notice)
        continue
      }
      if (claim === 'ours') {
        await Promise.all(ways.map((way) => send(way, notice)))
        if (!late.aborted) await store.notices.told(build, notice.seq)
      }
      done.add(notice.seq)
    }
    return left
  }
  return { tell }
}
