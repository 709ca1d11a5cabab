// Reads from the last line of a session how it ended. The exit code and `subtype` are unreliable: an API error ends
// with "success", and a refused tool or an unknown command with exit 0. A session succeeded only if its result is
// not an error, a model took part, and its tools were allowed.
import type { Failure, FailureKind } from '../agent.ts'
import { quoted } from '../shared/api-failure.ts'
import { resetTime } from '../shared/reset-time.ts'

export interface Ending {
  readonly isError: boolean
  readonly subtype: string
  readonly terminalReason: string
  readonly stopReason: string
  readonly turns: number
  /** The HTTP status of the API's last answer, where the CLI reports an error. */
  readonly status: number | null
  /** The CLI's names of the error, in this line and in the message before it. */
  readonly names: readonly string[]
  readonly words: string
  /** Whether a model took part. */
  readonly hasSpoken: boolean
  /** The end of the limit, if the API named it. */
  readonly resetsAt: number | null
  /** Needed tools of which every use was refused. */
  readonly blocked: readonly string[]
}

interface Meaning {
  readonly kind: FailureKind
  readonly means: (ending: Ending) => boolean
  readonly sentence: (quote: string) => string
}

const LOGIN = 'run "claude" and /login there, or mend the key that env of [agent.claude] names'

/** The first match counts; a status or name of the API comes before words for people. */
const meanings: readonly Meaning[] = [
  {
    kind: 'killed',
    means: ({ terminalReason }) => terminalReason.startsWith('aborted'),
    sentence: () => 'somebody interrupted Claude Code; the session is begun again',
  },
  {
    kind: 'timedOut',
    means: ({ subtype }) => subtype === 'error_max_turns' || subtype === 'error_max_budget_usd',
    sentence: (quote) => `the session reached a limit that args of [agent.claude] sets${quote}; raise it there`,
  },
  {
    kind: 'contextTooLong',
    means: (ending) =>
      ending.terminalReason === 'prompt_too_long' ||
      ending.status === 413 ||
      says(ending, /prompt is too long|request too large|exceeds? (?:the )?context|context window/i),
    sentence: (quote) =>
      `the session became longer than the model can read${quote}; make the task smaller, or set a model with a larger context`,
  },
  {
    kind: 'billing',
    means: (ending) =>
      ending.status === 402 ||
      isNamed(ending, 'billing_error') ||
      says(ending, /credit balance|spend limit|billing|shared budget/i),
    sentence: (quote) => `the account has no credit left${quote}; add some, or log in with another account`,
  },
  {
    kind: 'rateLimit',
    means: (ending) =>
      ending.status === 429 ||
      isNamed(ending, 'rate_limit', 'rate_limit_error', 'usage_limit_reached') ||
      says(ending, /hit your .{0,40}limit|limit reached|rate limit/i),
    sentence: (quote) => `a limit of the account is reached${quote}; the work goes on when it is over`,
  },
  {
    kind: 'auth',
    means: (ending) =>
      ending.status === 401 ||
      ending.status === 403 ||
      isNamed(ending, 'authentication_failed', 'oauth_org_not_allowed') ||
      says(ending, /\/login|not logged in|invalid api key|authenticat|oauth token/i),
    sentence: (quote) => `the login of Claude Code is not accepted${quote}; ${LOGIN}`,
  },
  {
    kind: 'unknownCommand',
    means: (ending) =>
      ending.status === 404 || isNamed(ending, 'model_not_found') || says(ending, /issue with the selected model/i),
    sentence: (quote) => `the model cannot be used${quote}; set another one as model in [agent.claude] of ralph.toml`,
  },
  {
    kind: 'badOutput',
    means: (ending) => ending.stopReason === 'refusal' || says(ending, /safeguards|usage policy/i),
    sentence: (quote) => `the model refused to answer${quote}; word the task differently, or set another model`,
  },
  {
    kind: 'badOutput',
    means: (ending) => isNamed(ending, 'max_output_tokens'),
    sentence: (quote) => `the model said more than one answer can hold${quote}; make the task smaller`,
  },
  {
    kind: 'overload',
    means: (ending) =>
      (ending.status ?? 0) >= 500 ||
      ending.status === 408 ||
      isNamed(ending, 'server_error', 'overloaded', 'overloaded_error', 'connection_failed') ||
      says(ending, /overloaded|connection|unable to connect|timed? ?out|E(?:CONN|NOTFOUND|AI_AGAIN)|internal server/i),
    sentence: (quote) => `the API is overloaded or cannot be reached${quote}; it is tried again after a while`,
  },
  {
    kind: 'crashed',
    means: () => true,
    sentence: (quote) => `Claude Code gave the session up${quote}; 'ralph log' shows what happened before`,
  },
]

/** Null: the session worked to its own end. */
export function failureOfEnding(ending: Ending, now: number): Failure | null {
  const quote = quoted(ending.words)
  if (ending.isError || ending.subtype.startsWith('error')) {
    const { kind, sentence } = meanings.find(({ means }) => means(ending)) as Meaning
    return { kind, sentence: sentence(quote), until: kind === 'rateLimit' ? untilOf(ending, now) : null }
  }
  if (ending.turns === 0 || (!ending.hasSpoken && /^Unknown (?:\w+ )?(?:command|skill)/i.test(ending.words))) {
    const mend = 'the prompt must not begin with a slash, unless a plugin of the session knows the command'
    return {
      kind: 'unknownCommand',
      sentence: `Claude Code took the prompt for a command${quote}; ${mend}`,
      until: null,
    }
  }
  if (ending.blocked.length === 0) return null
  const mend = 'take what forbids them out of args in [agent.claude], or out of the managed settings of this machine'
  const tools = ending.blocked.join(', ')
  const sentence = `Claude Code refused every use of tools that the work needs (${tools}); ${mend}`
  return { kind: 'permissionDenied', sentence, until: null }
}

/** Explains the stderr of a CLI that ended without a result. */
export function explainCrash(words: string): Failure | null {
  const quote = quoted(words)
  if (
    /unknown (?:option|argument)|invalid (?:option|value|choice)|cannot be used with root|argument .* is invalid/i.test(
      words,
    )
  ) {
    const mend = 'correct args of [agent.claude], or update it with: npm install -g @anthropic-ai/claude-code'
    return {
      kind: 'unknownCommand',
      sentence: `Claude Code does not take this command line${quote}; ${mend}`,
      until: null,
    }
  }
  if (/\/login|not logged in|invalid api key|authenticat/i.test(words))
    return { kind: 'auth', sentence: `Claude Code is not logged in${quote}; ${LOGIN}`, until: null }
  return null
}

/** Ignores a reset time that is in the past. */
function untilOf({ resetsAt, words }: Ending, now: number): number | null {
  return resetsAt !== null && resetsAt > now ? resetsAt : resetTime(words, now)
}

function says({ words }: Ending, what: RegExp): boolean {
  return what.test(words)
}

function isNamed({ names }: Ending, ...sought: readonly string[]): boolean {
  return sought.some((name) => names.includes(name))
}
