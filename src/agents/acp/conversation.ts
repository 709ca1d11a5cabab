// The conversation of one session:
//
//   we:     initialize ──> session/new ──> (mode, model) ──> session/prompt ─────────────────> stdin ends
//   agent:                                                     session/update …, may I …? ──> stop reason
//
// Lines are read up to 1 MiB each and answered at once, without a queue. The SDK's own stream ends a connection at a line
// that is too long; this one reads the beginning of the line.
import type { InitializeRequest, NewSessionRequest, PermissionOption } from '@agentclientprotocol/sdk'
import type { AgentEvent, Failure, Reader, Result, Role, Tell } from '../agent.ts'
import { failure } from '../shared/api-failure.ts'
import { type Fields, fields, list, text, parseObject } from '../shared/fields.ts'
import { isCut } from '../shared/cut-line.ts'
import { spokenText } from '../shared/spoken-text.ts'
import { type AcpUsage, acpUsage } from './acp-usage.ts'
import { cutMessage } from './cut-message.ts'
import { type About, failureOfError, failureOfStop, loginsIn } from './ending.ts'
import { answerTo, objection } from './permission.ts'
import { modelChoice, readingMode, type Setting } from './settings.ts'
import { toolCalls } from './tool-calls.ts'
import { startWire, type Wire } from './wire.ts'

const PROTOCOL_VERSION = 1

/** We offer nothing: an agent has its own tools, and asks for permission to use them. */
const HELLO: InitializeRequest = {
  protocolVersion: PROTOCOL_VERSION,
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
}

export interface ConversationOptions {
  readonly role: Role
  /** Null: only a check of readiness. */
  readonly prompt: string | null
  readonly model: string | null
  readonly session: NewSessionRequest
  /** The folder, also without links. */
  readonly folders: readonly string[]
  readonly now: () => number
}

export interface Conversation {
  readonly begin: (tell: Tell) => void
  readonly reader: Reader
  /** Asks the agent to cancel its turn; it may still send a last message. */
  readonly cancel: () => void
  readonly about: () => About
}

export function conversation(wanted: ConversationOptions): Conversation {
  const wire = startWire()
  const usage = acpUsage()
  const told = session(wanted, usage)
  const standing: Standing = { about: { agent: 'the agent', logins: [] }, sessionId: null, result: null }
  return {
    begin: (tell) => {
      wire.open(tell)
      introduce(wanted, wire, standing, told)
    },
    cancel: () => {
      if (standing.sessionId !== null) wire.notify('session/cancel', { sessionId: standing.sessionId })
    },
    about: () => standing.about,
    reader: {
      usage: usage.total,
      end: told.end,
      result: () => standing.result ?? (wire.isDeaf() ? { failure: DEAF } : null),
      line: (line) => {
        if (line === '') return []
        const message = isCut(line) ? cutMessage(line) : parseObject(line)
        if (message === null) return [{ type: 'log', text: line }]
        if ('method' in message) return answerAgent(message, wanted, wire, told)
        return wire.receiveAnswer(message)
      },
    },
  }
}

const DEAF = failure('badOutput', 'the agent asks without end and reads no answer; it was stopped')

interface Standing {
  about: About
  sessionId: string | null
  result: Result | null
}

/** From `initialize` to the end of the one turn. */
function introduce(wanted: ConversationOptions, wire: Wire, standing: Standing, told: UpdateReader): void {
  const fail = (why: Failure): AgentEvent[] => {
    standing.result = { failure: why }
    return []
  }
  const request = (method: string, params: object, then: (answer: Fields) => AgentEvent[]): void =>
    wire.request(method, params, ({ error, result }) => {
      if (error === undefined) return then(fields(result))
      return fail(failureOfError(fields(error), method, standing.about, wanted.now()))
    })
  const prompt = (sessionId: string): AgentEvent[] => {
    const { prompt: words } = wanted
    if (words === null) return endSession('end_turn')
    request('session/prompt', { sessionId, prompt: [{ type: 'text', text: words }] }, (answer) => {
      const events = told.turnOver(answer)
      return [...events, ...endSession(text(answer['stopReason']))]
    })
    return []
  }
  const endSession = (reason: string): AgentEvent[] => {
    const why = failureOfStop(reason)
    if (why !== null) return fail(why)
    standing.result = { finalMessage: told.finalMessage() }
    return []
  }
  const settle = (sessionId: string, settings: readonly Setting[]): AgentEvent[] => {
    const [setting, ...rest] = settings
    if (setting === undefined) return prompt(sessionId)
    request(setting.method, { sessionId, ...setting.params }, () => settle(sessionId, rest))
    return []
  }
  const sessionOpened = (answer: Fields): AgentEvent[] => {
    const sessionId = text(answer['sessionId'])
    if (sessionId === '') return fail(failure('badOutput', `${standing.about.agent} made no session; update it`))
    standing.sessionId = sessionId
    const model = wanted.model === null ? [] : modelChoice(answer, wanted.model)
    if ('kind' in model) return fail(model)
    return settle(sessionId, [...(wanted.role === 'implementer' ? [] : readingMode(answer)), ...model])
  }
  request('initialize', HELLO, (answer) => {
    const version = answer['protocolVersion']
    const info = fields(answer['agentInfo'])
    const name = [text(info['name']), text(info['version'])].filter((word) => word !== '').join(' ')
    standing.about = { agent: name || 'the agent', logins: loginsIn(answer) }
    if (version !== PROTOCOL_VERSION) return fail(otherVersion(standing.about, version))
    request('session/new', wanted.session, sessionOpened)
    return []
  })
}

function otherVersion({ agent }: About, version: unknown): Failure {
  const spoken = typeof version === 'number' ? `version ${version}` : 'no known version'
  return failure(
    'unknownCommand',
    `${agent} speaks ${spoken} of the Agent Client Protocol and Ralph speaks ${PROTOCOL_VERSION}; use a version of it that does`,
  )
}

/** Reads the updates of the agent while it works. */
interface UpdateReader {
  readonly update: (update: Fields) => AgentEvent[]
  readonly tool: (call: Fields) => AgentEvent[]
  readonly turnOver: (answer: Fields) => AgentEvent[]
  readonly end: () => AgentEvent[]
  readonly finalMessage: () => string
}

function session({ prompt }: ConversationOptions, usage: AcpUsage): UpdateReader {
  const words = spokenText('text')
  const thoughts = spokenText('thinking')
  const tools = toolCalls()
  const end = (): AgentEvent[] => [...thoughts.end(), ...words.end()]
  const used = (hasGrown: boolean): AgentEvent[] => (hasGrown ? [{ type: 'usage', usage: usage.total() }] : [])
  const tool = (call: Fields): AgentEvent[] => [...end(), ...tools.update(call)]
  return {
    tool,
    end,
    finalMessage: words.finalMessage,
    turnOver: (answer) => [...end(), ...used(usage.turn(answer))],
    update: (update) => {
      if (prompt === null) return []
      switch (update['sessionUpdate']) {
        case 'agent_message_chunk':
          return [...thoughts.end(), ...words.add(text(fields(update['content'])['text']))]
        case 'agent_thought_chunk':
          return [...words.end(), ...thoughts.add(text(fields(update['content'])['text']))]
        case 'tool_call':
        case 'tool_call_update':
          return tool(update)
        case 'usage_update':
          return used(usage.update(update))
        default:
          return []
      }
    },
  }
}

/** A request or a notification of the agent. */
function answerAgent(message: Fields, wanted: ConversationOptions, wire: Wire, told: UpdateReader): AgentEvent[] {
  const { id, method } = message
  const params = fields(message['params'])
  if (method === 'session/update') return told.update(fields(params['update']))
  if (id === undefined) return []
  if (method !== 'session/request_permission' || message['isCut'] === true) {
    const why = message['isCut'] === true ? 'the request is longer than 1 MiB' : `${text(method)} is not offered`
    wire.refuse(id, why)
    return [{ type: 'log', text: `Refused ${text(method)}: ${why}.` }]
  }
  const call = fields(params['toolCall'])
  const why = objection(call, wanted)
  // Some agents send no further update until the tool call ends.
  const events = told.tool(why === null ? { ...call, status: 'in_progress' } : call)
  wire.answer(id, answerTo(list(params['options']) as PermissionOption[], why === null ? 'allow' : 'reject'))
  if (why === null) return events
  return [...events, { type: 'log', text: `Refused ${text(call['title']) || text(call['kind'])}: ${why}.` }]
}
