// An agent of the Agent Client Protocol that plays the same scenarios as the scripted agent: `node
// acp-player.conformance.ts STEPS.json`. Its input goes through the protocol's own SDK, which refuses anything
// outside its schema. It writes its output itself, synchronously, so that nothing from before a crash is lost.
import { agent, type AgentConnection, ndJsonStream, RequestError, type SessionUpdate } from '@agentclientprotocol/sdk'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { AgentEvent } from '../agent.ts'
import { play } from '../scripted/play.ts'
import type { Step } from '../scripted/scenario.ts'
import { print, type Voice } from '../scripted/output-records.ts'

const SESSION = 'session-1'

function update(one: SessionUpdate): void {
  const message = { jsonrpc: '2.0', method: 'session/update', params: { sessionId: SESSION, update: one } }
  print(Buffer.from(`${JSON.stringify(message)}\n`))
}

function say(text: string): void {
  // As models do: in bits.
  const middle = Math.ceil(text.length / 2)
  for (const bit of [text.slice(0, middle), text.slice(middle)])
    if (bit !== '') update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: bit } })
}

let calls = 0

function tell(event: AgentEvent): void {
  const toolCallId = `call-${calls}`
  switch (event.type) {
    case 'text':
      return say(`${event.text}\n`)
    case 'toolUse':
      calls += 1
      update({ sessionUpdate: 'tool_call', toolCallId: `call-${calls}`, title: event.tool, kind: 'execute' })
      return update({
        sessionUpdate: 'tool_call_update',
        toolCallId: `call-${calls}`,
        status: 'in_progress',
        rawInput: { command: event.input },
        name: event.tool,
      })
    case 'toolResult': {
      const status = event.isError ? 'failed' : 'completed'
      const content = [{ type: 'content' as const, content: { type: 'text' as const, text: event.output } }]
      return update({ sessionUpdate: 'tool_call_update', toolCallId, status, content })
    }
    default:
      return undefined
  }
}

/** The exit code where it is to leave without an answer. */
async function perform(prompt: string): Promise<void> {
  const { steps, iteration } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Scenario
  const part = { role: 'implementer', task: 't1', attempt: 1, iteration, prompt, steps } as const
  let answered: (() => void) | null = null
  const isAnswered = new Promise<void>((resolve, reject) => {
    const voice: Voice = {
      event: tell,
      finalMessage: (text) => {
        say(text)
        answered = resolve
        resolve()
      },
      failure: ({ sentence }) => reject(new RequestError(-32_603, 'Internal error', { details: sentence })),
      raw: print,
    }
    void play(part, voice, process.cwd()).then((code) => {
      if (answered === null && code !== 1) process.exit(code)
      // A child that was left behind would keep us.
      stdinEnded.then(() => process.exit(0))
    })
  })
  return isAnswered
}

interface Scenario {
  readonly steps: readonly Step[]
  readonly iteration: number
}

const output = new WritableStream<Uint8Array>({ write: print })
const stdinEnded = new Promise<void>((resolve) => process.stdin.once('end', resolve))
const connection: AgentConnection = agent({ name: 'player' })
  .onRequest('initialize', () => ({ protocolVersion: 1, agentInfo: { name: 'player', version: '1.0.0' } }))
  .onRequest('session/new', () => ({ sessionId: SESSION }))
  .onRequest('session/prompt', async ({ params }) => {
    const [block] = params.prompt
    await perform(block?.type === 'text' ? block.text : '')
    return { stopReason: 'end_turn' as const }
  })
  .connect(ndJsonStream(output, Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>))
void connection
