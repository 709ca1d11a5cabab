// Rows of a transcript by number, fetched a hundred at a time when they are visible, and dropped afterwards.
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { TranscriptOutline } from '../../operations/contract/task-detail.ts'
import { server } from '../server.ts'

export const ROWS_PER_PAGE = 100

export type Growth = 'whole' | 'growing'
/** Pages out of view are dropped: a transcript may have 64 MiB. */
const KEPT_MS = 10_000

/** `onTurn`: another session has begun beside it, or this one is over. */
export function useOutline(session: string, growth: Growth, onTurn?: () => unknown) {
  const queries = useQueryClient()
  const outline = useQuery({
    queryKey: keyOf(session),
    queryFn: ({ signal }) => outlineOf(queries, session, signal),
    refetchOnMount: 'always',
  })
  const turn = useEffectEvent(() => onTurn?.())
  const { refetch } = outline
  useEffect(() => {
    if (growth === 'whole') return
    const over = new AbortController()
    const follow = async (): Promise<void> => {
      for await (const news of server.followTranscript(session, { signal: over.signal })) {
        if (news.type !== 'grew') turn()
        else if (news.bytes > (cachedOutline(queries, session)?.bytes ?? -1)) await refetch()
      }
    }
    // The outline itself shows the error.
    follow().catch(() => {})
    return () => over.abort()
  }, [session, growth, queries, refetch])
  return outline
}

const keyOf = (session: string) => ['outline', session]

function cachedOutline(queries: QueryClient, session: string): TranscriptOutline | undefined {
  return queries.getQueryData<TranscriptOutline>(keyOf(session))
}

/** Reads only the new part: a transcript only grows. */
async function outlineOf(queries: QueryClient, session: string, signal: AbortSignal): Promise<TranscriptOutline> {
  const before = cachedOutline(queries, session)
  const query = before === undefined ? {} : { from: before.bytes, rows: before.rows }
  const { marks, ...now } = await server.outline({ id: session, ...query }, { signal })
  return { ...now, marks: [...(before?.marks ?? []), ...marks] }
}

/** `count`: the last page gets a new key when it grows. */
export function useRows(session: string, page: number, byte: number, count: number) {
  return useQuery({
    queryKey: ['rows', session, page, count],
    queryFn: async ({ signal }) =>
      (await server.rows({ id: session, from: byte, limit: ROWS_PER_PAGE }, { signal })).rows,
    placeholderData: keepPreviousData,
    gcTime: KEPT_MS,
  })
}

/** The whole of one text. */
export function useWholeText(session: string, byte: number, length: number, isWanted: { readonly now: boolean }) {
  return useQuery({
    queryKey: ['row', session, byte],
    queryFn: async ({ signal }) => {
      const { rows } = await server.rows({ id: session, from: byte, limit: 1, length }, { signal })
      return rows[0]?.text ?? ''
    },
    enabled: isWanted.now,
    gcTime: KEPT_MS,
  })
}

export function useFound(session: string, text: string) {
  return useQuery({
    queryKey: ['found', session, text],
    queryFn: ({ signal }) => server.search({ id: session, text }, { signal }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    gcTime: KEPT_MS,
  })
}
