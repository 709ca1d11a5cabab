// Classifies the message with which Codex gives up. It has neither names nor a status, only sentences for people
// and sometimes the raw answer of the API.
import type { Failure, FailureKind } from '../agent.ts'
import { fields, text } from '../shared/fields.ts'
import { quoted } from '../shared/api-failure.ts'
import { resetTime } from '../shared/reset-time.ts'

interface Meaning {
  readonly kind: FailureKind
  readonly words: RegExp
  readonly sentence: (quote: string) => string
}

const LOGIN = 'run "codex login", or mend the key that env of [agent.codex] names'

const limitSentence = (quote: string): string =>
  `a limit of the account is reached${quote}; the work goes on when it is over`

/** The first that fits counts. */
const meanings: readonly Meaning[] = [
  {
    kind: 'killed',
    words: /\b(?:interrupted|aborted)\b/i,
    sentence: () => 'somebody interrupted Codex; the session is begun again',
  },
  {
    kind: 'contextTooLong',
    words: /ran out of room|context window|context_length_exceeded|(?:prompt|input) (?:is )?too (?:long|large)/i,
    sentence: (quote) =>
      `the session became longer than the model can read${quote}; make the task smaller, or set a model with a larger context`,
  },
  // It names the ways to buy more, which is no sign that there is no credit: in time it is over.
  { kind: 'rateLimit', words: /hit your usage limit|usage_limit_reached/i, sentence: limitSentence },
  {
    kind: 'billing',
    words:
      /quota exceeded|insufficient_quota|current quota|billing|out of credits|spend(?:ing)? (?:cap|limit)|usage_not_included|upgrade to/i,
    sentence: (quote) => `the account has no credit left${quote}; add some, or log in with another account`,
  },
  {
    kind: 'rateLimit',
    words: /rate.?limit|too many requests|\b429\b/i,
    sentence: limitSentence,
  },
  {
    kind: 'badOutput',
    words: /max_output_tokens/,
    sentence: (quote) => `the model said more than one answer can hold${quote}; make the task smaller`,
  },
  {
    kind: 'badOutput',
    words: /content_filter|flagged|invalid_prompt|usage polic/i,
    sentence: (quote) => `the model refused to answer${quote}; word the task differently, or set another model`,
  },
  {
    kind: 'auth',
    words:
      /\b40[13]\b|unauthori[sz]ed|forbidden|api key|not logged in|log ?(?:in|out)\b|sign(?:ed)? in|refresh token|access token|missing environment variable/i,
    sentence: (quote) => `the login of Codex is not accepted${quote}; ${LOGIN}`,
  },
  {
    kind: 'unknownCommand',
    words: /model\b.{0,80}(?:does not exist|not (?:found|supported|available))|model_not_found|\b404\b/i,
    sentence: (quote) => `the model cannot be used${quote}; set another one as model in [agent.codex] of ralph.toml`,
  },
  {
    kind: 'overload',
    words:
      /high demand|at capacity|capacity unavailable|overloaded|\b5\d\d\b|server error|stream disconnected|connect|network|timed? ?out|sending request/i,
    sentence: (quote) => `the API is overloaded or cannot be reached${quote}; it is tried again after a while`,
  },
]

export function failureOfWords(words: string, now: number): Failure {
  const quote = quotedMessage(words)
  const found = meanings.find((meaning) => meaning.words.test(words))
  if (found === undefined) {
    const sentence = `Codex gave the session up${quote}; 'ralph log' shows what happened before`
    return { kind: 'crashed', sentence, until: null }
  }
  const { kind, sentence } = found
  return { kind, sentence: sentence(quote), until: kind === 'rateLimit' ? resetTime(words, now) : null }
}

/** Every call of our tools was refused: the next session would do no better. */
export const TIED: Failure = {
  kind: 'permissionDenied',
  sentence:
    'Codex refused every call of the tools of Ralph; take what forbids them out of args in [agent.codex], or out of the managed settings of this machine',
  until: null,
}

/** The last words of a program that ended before it could say a result. */
export function explainCrash(words: string, now: number): Failure | null {
  if (
    /unexpected argument|unrecognized|invalid value|unknown variant|in `\w+`$|loading config|for more information/i.test(
      words,
    )
  ) {
    const mend = 'correct args of [agent.codex], or update it with: npm install -g @openai/codex'
    const sentence = `Codex does not take this command line${quotedMessage(words)}; ${mend}`
    return { kind: 'unknownCommand', sentence, until: null }
  }
  const { kind, ...rest } = failureOfWords(words, now)
  return kind === 'auth' || kind === 'rateLimit' || kind === 'billing' ? { kind, ...rest } : null
}

function quotedMessage(words: string): string {
  return quoted(withoutOffers(messageIn(words)))
}

/** `You’ve hit your usage limit. Upgrade to …, visit … to purchase more credits or try again at 11:27 AM.` */
function withoutOffers(words: string): string {
  return words.replace(
    /(hit your usage limit)\..*?(?:or (try again at [^.]+)\.?)?$/s,
    (_, met: string, again?: string) => (again === undefined ? met : `${met}, ${again}`),
  )
}

/** `{"error":{"message":"…"}}`, where the words are the API's answer as it came. */
function messageIn(words: string): string {
  try {
    return text(fields(fields(JSON.parse(words))['error'])['message']) || words
  } catch {
    return words
  }
}
