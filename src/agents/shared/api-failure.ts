// Classifies the refusal of a model API by its status and its text. Vendors use different texts, and each CLI
// forwards a different part of them. The status comes first, except where a vendor uses one status for two things.
import { cutToLength } from '../../core/values/text-bounds.ts'
import { oneLine } from '../../system/text.ts'
import type { Failure, FailureKind } from '../agent.ts'

export interface Trouble {
  /** Of HTTP; null where it is not told. */
  readonly status: number | null
  readonly words: string
}

export interface Troubled {
  /** What people call the program. */
  readonly program: string
  /** Its table in ralph.toml. */
  readonly table: string
  /** What somebody who is not logged in does. */
  readonly login: string
}

interface Meaning {
  readonly kind: FailureKind
  readonly statuses: (status: number) => boolean
  readonly words: RegExp
  readonly sentence: (quote: string, troubled: Troubled) => string
}

/** The first that fits counts. */
const meanings: readonly Meaning[] = [
  {
    kind: 'contextTooLong',
    statuses: (status) => status === 413,
    words:
      /prompt is too long|too many tokens|context (?:window|length)|maximum context|input token count|ContextOverflow|request too large/i,
    sentence: (quote) =>
      `the session became longer than the model can read${quote}; make the task smaller, or set a model with a larger context`,
  },
  {
    kind: 'billing',
    statuses: (status) => status === 402,
    words:
      /insufficient[_ ](?:quota|funds|credits?|balance)|credit balance|out of credits?|credits? (?:are|is) (?:depleted|used)|payment required|BILLING_DIS/i,
    sentence: (quote) => `the account has no credit left${quote}; add some, or log in with another account`,
  },
  {
    kind: 'rateLimit',
    statuses: (status) => status === 429,
    words: /rate.?limit|quota|RESOURCE_EXHAUSTED|usage limit|limit reached|too many requests/i,
    sentence: (quote) => `a limit of the account is reached${quote}; the work goes on when it is over`,
  },
  {
    kind: 'auth',
    statuses: (status) => status === 401 || status === 403,
    words:
      /api.?key (?:not|is not|is) (?:valid|invalid)|(?:invalid|incorrect|missing).{0,12}api.?key|API_KEY_INVALID|unauthori[sz]ed|not logged in|authenticat|auth method|log ?in required/i,
    sentence: (quote, { program, login }) => `the login of ${program} is not accepted${quote}; ${login}`,
  },
  {
    kind: 'unknownCommand',
    statuses: (status) => status === 404,
    words: /model.{0,80}(?:not found|not exist|not supported|not available)|ModelNotFound|unknown model|invalid model/i,
    sentence: (quote, { table }) =>
      `the model cannot be used${quote}; set another one as model in [${table}] of ralph.toml`,
  },
  {
    kind: 'overload',
    statuses: (status) => status >= 500 || status === 408,
    words:
      /overloaded|unavailable|server (?:had an )?error|internal (?:server )?error|fetch failed|connect|socket|terminated|incomplete json|timed? ?out|network|E(?:CONN|NOTFOUND|AI_AGAIN|PIPE)/i,
    sentence: (quote) => `the API is overloaded or cannot be reached${quote}; it is tried again after a while`,
  },
]

export function failure(kind: FailureKind, sentence: string): Failure {
  return { kind, sentence, until: null }
}

/** Null: the words are none that are known. */
export function apiFailure(trouble: Trouble, troubled: Troubled, now: number): Failure | null {
  const meaning = meaningOf(trouble)
  if (meaning === null) return null
  const { kind, sentence } = meaning
  return {
    kind,
    sentence: sentence(quoted(trouble.words), troubled),
    until: kind === 'rateLimit' ? waitEnd(trouble.words, now) : null,
  }
}

function meaningOf({ status, words }: Trouble): Meaning | null {
  const byWords = meanings.find((meaning) => meaning.words.test(words)) ?? null
  if (status === null || status === 400) return byWords
  // No money, and a prompt that does not fit, hide behind 429, 403 and others.
  if (byWords?.kind === 'billing' || byWords?.kind === 'contextTooLong') return byWords
  return meanings.find(({ statuses }) => statuses(status)) ?? byWords
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
/** Longer waits are words that were misread: no limit lasts more than a month. */
const WAIT_MAX_MS = 32 * 86_400_000

/** `retry in 34.07s`, `"retryDelay":"34s"`, `will reset after 18h3m2s`, `"retry-after":"3600"`. */
function waitEnd(words: string, now: number): number | null {
  const found =
    /(?:retry[- ]?(?:in|after|delay)|reset(?:s)? (?:in|after)|try again in)["': ]{0,5}((?:\d+(?:\.\d+)?\s?(?:ms|s|m|h|d)?\s?)+)/i.exec(
      words,
    )?.[1]
  if (found === undefined) return null
  const parts = [...found.matchAll(/(\d+(?:\.\d+)?)\s?(ms|s|m|h|d)?/gi)]
  const waitMs = parts.reduce(
    (sum, [, size, unit]) => sum + Number(size) * (UNIT_MS[(unit ?? 's').toLowerCase()] ?? 0),
    0,
  )
  return waitMs > 0 && waitMs <= WAIT_MAX_MS ? now + Math.ceil(waitMs) : null
}

/** The remedy follows the quote, and the line must stay short. */
const QUOTE_LENGTH_MAX = 100

/** In brackets, after a space; empty where there are no words. */
export function quoted(words: string): string {
  const line = oneLine(words)
  const short = cutToLength(line, QUOTE_LENGTH_MAX)
  return line === '' ? '' : ` (${short}${short === line ? '' : '…'})`
}
