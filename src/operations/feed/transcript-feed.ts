// Tells readers that a transcript has grown while it is being written. It watches the file, so any process may write
// it. Growth is not a fact of the build, and nobody stores it.
import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { TranscriptNews } from '../contract/contract.ts'
import { isRunning } from '../read/running-session.ts'
import { sessionFile, type TranscriptSource } from '../read/transcript-file.ts'

/** The shortest time between two messages, however fast an agent talks. */
const PACE_MS = 250
/** How often to look for a folder that does not exist yet or cannot be watched. */
const UNWATCHED_LOOK_MS = 1_000

/** Yields the current size first; ends with the session, or when `signal` is aborted. */
export async function* followTranscript(
  servedRepo: TranscriptSource,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<TranscriptNews> {
  const { session, path } = await sessionFile(servedRepo, name)
  const over = new AbortController()
  const all = AbortSignal.any([signal, over.signal])
  const notifier = openNotifier()
  const folderWatch = watchFolder(path, notifier.notify)
  void notifyOfChanges(servedRepo, all, notifier.notify)
  all.addEventListener('abort', notifier.notify)
  let bytes = -1
  try {
    while (!signal.aborted) {
      folderWatch.open()
      // Asked before the size, so that everything written until the end counts.
      const isOver = !(await isRunning(servedRepo.context, session))
      const size = await sizeOf(path)
      if (size !== bytes) yield { type: 'grew', bytes: size }
      bytes = size
      if (folderWatch.sawAnother()) yield { type: 'begun' }
      if (isOver) {
        yield { type: 'ended' }
        return
      }
      await pause(PACE_MS, undefined, { signal }).catch(() => {})
      await notifier.notified(folderWatch.isOpen() ? null : UNWATCHED_LOOK_MS)
    }
  } finally {
    over.abort()
    folderWatch.close()
  }
}

/**
 * `notified` resolves if somebody called `notify` since the last time or does so in time, and otherwise after the time.
 */
function openNotifier() {
  let isNotified = false
  let wake = (): void => {}
  return {
    notify: (): void => {
      isNotified = true
      wake()
    },
    notified: async (withinMs: number | null): Promise<void> => {
      let timer: NodeJS.Timeout | undefined
      if (!isNotified)
        await new Promise<void>((resolve) => {
          wake = resolve
          if (withinMs !== null) timer = setTimeout(resolve, withinMs)
        })
      clearTimeout(timer)
      isNotified = false
    },
  }
}

/** The end of a session is a change in the store. */
async function notifyOfChanges({ context }: TranscriptSource, signal: AbortSignal, notify: () => void): Promise<void> {
  for await (const _ of context.store.changes(signal)) notify()
}

/** Watches the folder, since the file may not exist yet. */
function watchFolder(path: string, changed: () => void) {
  let watcher: FSWatcher | null = null
  let hasOther = false
  const close = (): void => {
    watcher?.close()
    watcher = null
  }
  const open = (): void => {
    if (watcher !== null) return
    try {
      watcher = watch(dirname(path), { persistent: false }, (event, name) => {
        const isOther = name !== null && name !== basename(path)
        if (isOther && event === 'rename' && name.endsWith('.jsonl')) hasOther = true
        if (!isOther || hasOther) changed()
      })
      watcher.on('error', close)
    } catch {
      // It does not exist yet, or the system has no watch left.
    }
  }
  return {
    open,
    close,
    isOpen: () => watcher !== null,
    sawAnother: () => {
      const saw = hasOther
      hasOther = false
      return saw
    },
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0
}
