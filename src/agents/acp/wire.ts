// JSON-RPC with one message per line: our requests with the handlers of their answers, and our answers.
import type { AgentEvent, Tell } from '../agent.ts'
import { type Fields, numberOrNull } from '../shared/fields.ts'

const METHOD_UNKNOWN = -32_601

export interface Wire {
  readonly open: (tell: Tell) => void
  readonly request: (method: string, params: object, then: (answer: Fields) => AgentEvent[]) => void
  readonly notify: (method: string, params: object) => void
  readonly answer: (id: unknown, result: object) => void
  readonly refuse: (id: unknown, message: string) => void
  /** Handles an answer of the agent; ignores one that nobody waits for. */
  readonly receiveAnswer: (message: Fields) => AgentEvent[]
  /** The agent does not read its stdin. */
  readonly isDeaf: () => boolean
}

export function startWire(): Wire {
  const waiting = new Map<number, (answer: Fields) => AgentEvent[]>()
  let tell: Tell = () => true
  let asked = 0
  let isDeaf = false
  const send = (message: object): void => {
    if (!tell(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)) isDeaf = true
  }
  return {
    open: (to) => {
      tell = to
    },
    request: (method, params, then) => {
      asked += 1
      waiting.set(asked, then)
      send({ id: asked, method, params })
    },
    notify: (method, params) => send({ method, params }),
    answer: (id, result) => send({ id, result }),
    refuse: (id, message) => send({ id, error: { code: METHOD_UNKNOWN, message } }),
    receiveAnswer: (message) => {
      const id = numberOrNull(message['id'])
      const then = id === null ? undefined : waiting.get(id)
      if (id === null || then === undefined) return []
      waiting.delete(id)
      return then(message)
    },
    isDeaf: () => isDeaf,
  }
}
