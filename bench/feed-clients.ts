// A thousand readers in one process: `node feed-clients.ts URL TOKEN`. Says 'open' when all are connected; told a phase, it
// says what was seen when every reader has every fact of it.
import { WebSocket } from 'ws'
import { quantile } from './figures.ts'
import { CLIENTS, factsIn, type Phase, type Seen, stamp, stampIn } from './feed-terms.ts'

const [, , url = '', token = ''] = process.argv
let left = 0
let latencies: number[] = []

const heard = (data: Buffer): void => {
  latencies.push(stamp() - stampIn(data.toString()))
  left -= 1
  if (left > 0) return
  const seen: Seen = { p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) }
  process.send?.(seen)
}

for (let opened = 0; opened < CLIENTS; opened += 1) {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } })
  await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.on('message', heard)
  socket.on('close', () => {
    throw new Error('a reader was cut off')
  })
}
process.on('message', (phase: Phase) => {
  latencies = []
  left = CLIENTS * factsIn(phase)
  process.send?.('listening')
})
process.send?.('open')
