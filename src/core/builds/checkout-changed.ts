// The report of changes in the user's checkout: bounded, and each name once.
import type { CheckoutChanged } from '../fact/fact.ts'

/** For refs, and for paths. */
const NAMES_TOLD_MAX = 20
/** A user who edits files all night needs no further report. */
const NAMES_KNOWN_MAX = 10_000

/** `known`: the names reported before; the new ones are added to it. Null: nothing is new. */
export function checkoutChanged(
  { refs, paths }: Pick<CheckoutChanged, 'refs' | 'paths'>,
  known: Set<string>,
): CheckoutChanged | null {
  const isNews = (name: string): boolean => {
    if (known.has(name) || known.size >= NAMES_KNOWN_MAX) return false
    known.add(name)
    return true
  }
  const news = { refs: refs.filter(isNews), paths: paths.filter(isNews) }
  const number = news.refs.length + news.paths.length
  if (number === 0) return null
  const told = { refs: news.refs.slice(0, NAMES_TOLD_MAX), paths: news.paths.slice(0, NAMES_TOLD_MAX) }
  return { type: 'checkoutChanged', ...told, more: number - told.refs.length - told.paths.length }
}
