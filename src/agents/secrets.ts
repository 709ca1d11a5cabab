// Values that must not appear in a transcript, a fact, a prompt or a log, although an agent has them and may print
// them.
import type { AgentEvent } from './agent.ts'
import type { Environment } from '../core/values/environment.ts'

/** What is shorter is found everywhere by chance, and is no secret worth the name. */
const SECRET_LENGTH_MIN = 8
const SHOWN_INSTEAD = '[redacted]'

const SECRET_NAME =
  /(?:^|_)(?:API_?)?(?:KEY|TOKEN|SECRET|PASS|PASSWORD|PASSWD|PASSPHRASE|PAT|CREDENTIAL|COOKIE|DSN)S?(?:_|$)/i
/** `scheme://user:password@host` */
const URL_PASSWORD = /:\/\/[^/\s:@]*:([^/\s@]+)@/

/** Of the variables that an agent gets: those whose name or form says that they are secret. A path is none. */
export function secretsAmong(user: Environment, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const value = user[name] ?? ''
    const password = URL_PASSWORD.exec(value)?.[1]
    const isSecret = SECRET_NAME.test(name) && value !== '' && !/^[./~]/.test(value)
    return [...(isSecret ? [value] : []), ...(password === undefined ? [] : [password])]
  })
}

export type Redact = (text: string) => string

/** Takes the secrets out, also where they were encoded on the way: JSON, URL, base64. */
export function redactor(secrets: readonly string[]): Redact {
  const forms = [...new Set(secrets.flatMap(parts).flatMap(formsOf))]
    .filter((form) => form.length >= SECRET_LENGTH_MIN)
    // A long one first: it may hold a shorter one.
    .toSorted((one, other) => other.length - one.length)
  return (text) =>
    forms.reduce((rest, form) => (rest.includes(form) ? rest.replaceAll(form, SHOWN_INSTEAD) : rest), text)
}

/** One that has lines (a private key) is printed line by line. */
function parts(secret: string): readonly string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim())
  return lines.length === 1 ? [secret] : [secret, ...lines.filter((line) => !line.startsWith('-----'))]
}

function formsOf(secret: string): readonly string[] {
  if (secret.length < SECRET_LENGTH_MIN) return []
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    ...base64Forms(secret),
  ]
}

/** Base64 takes three bytes at a time: it depends on what stands before, so there are three forms, without their edges. */
function base64Forms(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64')
    const inner = before === 0 ? whole : whole.slice(4)
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

export function redactedEvent(event: AgentEvent, redact: Redact): AgentEvent {
  switch (event.type) {
    case 'text':
    case 'thinking':
    case 'log':
      return { ...event, text: redact(event.text) }
    case 'toolUse':
      return { ...event, tool: redact(event.tool), input: redact(event.input) }
    case 'toolResult':
      return { ...event, tool: redact(event.tool), output: redact(event.output) }
    case 'usage':
      return event
  }
}
