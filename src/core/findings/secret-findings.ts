// Secrets in added lines. Known shapes only: a guess by randomness alone would flag every hash.

const NAMED = 'a secret, by its name'
/** Words in secrets that people make up for tests. */
const madeUp = /dummy|canary|fake|example|sample|placeholder|changeme|not-?a-?real|test|xxx|1234/i

const shapes: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/ },
  { what: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/ },
  { what: 'a GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{40,})/ },
  { what: 'a GitLab token', pattern: /\bglpat-[\w-]{20,}/ },
  { what: 'an API key of a model provider', pattern: /\bsk-(?:ant-|proj-|or-)?[\w-]{32,}/ },
  { what: 'a Google API key', pattern: /\bAIza[\w-]{35}\b/ },
  { what: 'a Slack token', pattern: /\bxox[abposr]-[\w-]{10,}/ },
  { what: 'a Stripe key', pattern: /\b[sr]k_live_[A-Za-z0-9]{20,}/ },
  { what: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/ },
  {
    what: 'a token in a URL',
    pattern: /\b[a-z][a-z+.-]*:\/\/[^\s/:@'"<>{}$]+:(?!passw(?:or)?d@|pass@|secret@|token@)[^\s/@'"<>{}$]{8,}@/i,
  },
  { what: 'a JSON web token', pattern: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/ },
  {
    what: NAMED,
    pattern:
      /(?:secret|passw(?:or)?d|api[_-]?key|access[_-]?token|auth[_-]?token|private[_-]?key)['"]?\s*[:=]\s*['"](?=[^'"]*\d)(?=[^'"]*[A-Za-z])[^'"\s$<>{}]{16,}['"]/i,
  },
]

/** The kind of secret; never the text itself. */
export function secretIn(text: string): string | null {
  const found = shapes.find(({ pattern }) => pattern.test(text))
  return found === undefined || (found.what === NAMED && madeUp.test(text)) ? null : found.what
}
