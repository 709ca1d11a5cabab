// The floor: a bare WebSocket server that sends each message to each client as soon as it has it.
import { setTimeout as sleep } from 'node:timers/promises'
import { setImmediate as turn } from 'node:timers/promises'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { factsIn, type Phase, STEADY, textNow } from './feed-terms.ts'

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
server.on('listening', () => process.send?.(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`))
let seq = 0

process.on('message', (phase: Phase) => void play(phase))

async function play(phase: Phase): Promise<void> {
  for (let fact = 0; fact < factsIn(phase); fact += 1) {
    seq += 1
    const about = { type: 'buildFailed', seq, at: Date.now(), sessionId: 'b_bench', ideaId: 'bench' }
    const text = JSON.stringify({ ...about, error: textNow() })
    for (const client of server.clients) client.send(text)
    await (phase === 'burst' ? turn() : sleep(STEADY.pauseMs))
  }
}
