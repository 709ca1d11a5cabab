// Sends news that need no queue: a full reader is not read for, so what changes several times meanwhile is sent once, as it
// is then.
import type { Following } from '../operations/feed/feed.ts'
import { type FeedMessage, messageBytes } from './feed-bytes.ts'
import type { FeedReader } from './live-feed.ts'

export function followNews<News>(
  newsUntil: (signal: AbortSignal) => AsyncIterable<News>,
  messageOf: (news: News) => FeedMessage,
  reader: FeedReader,
): Following {
  const ending = new AbortController()
  const { signal } = ending
  let goOn = (): void => {}
  const send = async (): Promise<void> => {
    for await (const news of newsUntil(signal)) {
      if (signal.aborted) return
      if (!reader.write(messageBytes([messageOf(news)], reader.format)))
        await new Promise<void>((resolve) => (goOn = resolve))
    }
  }
  const end = (why: 'over' | 'broken'): void => {
    if (!signal.aborted) reader.end(why)
  }
  send().then(
    () => end('over'),
    () => end('broken'),
  )
  return {
    goOn: () => goOn(),
    end: () => {
      ending.abort()
      goOn()
    },
  }
}
