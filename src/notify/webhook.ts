import { errnoOf } from '../system/errno.ts'
import { type Message, type SendResult, TRY_LIMIT_MS, type Way } from './notify.ts'

/** POSTs each message as JSON. The address may contain a secret, so only its host is ever shown. */
export function webhook(address: string): Way {
  const url = new URL(address)
  const { host, username, password } = url
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const login = username === '' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
  // `fetch` refuses an address with a login, and its error contains the whole address.
  url.username = ''
  url.password = ''
  const headers = { 'content-type': 'application/json', 'user-agent': 'ralph', ...login }
  return {
    name: `webhook at ${host}`,
    send: async (message, signal) => {
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { ...headers, 'idempotency-key': message.id },
          body: JSON.stringify(bodyOf(message)),
          // A redirect target must not get what was meant for this address.
          redirect: 'manual',
          signal: AbortSignal.any([signal, AbortSignal.timeout(TRY_LIMIT_MS)]),
        })
        await response.body?.cancel()
        return response.ok ? { is: 'sent' } : refusal(response.status)
      } catch (error) {
        return { is: 'failed', reason: reasonOf(error), again: 'useful' }
      }
    },
  }
}

/** `text` and `content` are the fields that chats show of an unknown message. */
function bodyOf(message: Message): Record<string, unknown> {
  const text = `${message.repository}: ${message.sentence}`
  return { ...message, text, content: text }
}

function refusal(status: number): SendResult {
  const isPassing = status === 408 || status === 425 || status === 429 || status >= 500
  return { is: 'failed', reason: `HTTP ${status}`, again: isPassing ? 'useful' : 'useless' }
}

/** Without the address, which error messages may contain. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer in ${TRY_LIMIT_MS / 1000} s`
  const cause = error instanceof Error ? error.cause : undefined
  const code = errnoOf(cause ?? error)
  return code === 'UNKNOWN' ? 'no connection' : code
}
