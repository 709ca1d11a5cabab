// Rows of a transcript by their number, fetched a hundred at a time when they are looked at, and forgotten afterwards.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ask } from '../api.ts'

export const ROWS_PER_PAGE = 100

export type Growth = 'whole' | 'growing'
/** Pages that nobody looks at are forgotten: a transcript may have 64 MiB. */
const KEPT_MS = 10_000

/** How often a transcript that still grows is looked at. */
const GROWING_MS = 1_000

export function useOutline(iteration: string, growth: Growth) {
  return useQuery({
    queryKey: ['outline', iteration],
    queryFn: ({ signal }) => ask('outline', { params: { id: iteration } }, signal),
    refetchOnMount: 'always',
    refetchInterval: growth === 'growing' ? GROWING_MS : false,
  })
}

/** `count`: a page that is not full yet is another one when it has more. */
export function useRows(iteration: string, page: number, byte: number, count: number) {
  return useQuery({
    queryKey: ['rows', iteration, page, count],
    queryFn: async ({ signal }) =>
      (await ask('rows', { params: { id: iteration }, query: { from: byte, limit: ROWS_PER_PAGE } }, signal)).rows,
    placeholderData: keepPreviousData,
    gcTime: KEPT_MS,
  })
}

/** All of one text; null: what is there already is all. */
export function useWholeText(iteration: string, byte: number, length: number, isWanted: { readonly now: boolean }) {
  return useQuery({
    queryKey: ['row', iteration, byte],
    queryFn: async ({ signal }) => {
      const { rows } = await ask('rows', { params: { id: iteration }, query: { from: byte, limit: 1, length } }, signal)
      return rows[0]?.text ?? ''
    },
    enabled: isWanted.now,
    gcTime: KEPT_MS,
  })
}

export function useFound(iteration: string, text: string) {
  return useQuery({
    queryKey: ['found', iteration, text],
    queryFn: ({ signal }) => ask('search', { params: { id: iteration }, query: { text } }, signal),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    gcTime: KEPT_MS,
  })
}
