// One reading of a transcript in its own process: `node stream-worker.ts WHO FILE` prints its time and its result.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { AgentEvent } from '../src/agents/agent.ts'
import { boundedEvents } from '../src/agents/bounded-events.ts'
import { claudeReader } from '../src/agents/claude/stream-reader.ts'
import { startLines } from '../src/agents/lines.ts'
import type { Reading } from './stream.ts'

/** As the process room reads a pipe. */
const CHUNK_BYTES = 64 * 1024
const RECORD_BYTES_MAX = 1024 * 1024

interface ReadResult {
  tools: number
  finalMessage: string
}

const readers: Readonly<Record<string, (path: string) => Promise<ReadResult>>> = {
  ours: async (path) => {
    let tools = 0
    const reader = claudeReader('implementer', Date.now)
    const events = boundedEvents((event: AgentEvent) => {
      void event
    })
    const lines = startLines(RECORD_BYTES_MAX, (line) => {
      for (const event of reader.line(line)) {
        if (event.type === 'toolResult') tools += 1
        events.emit(event)
      }
    })
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) lines.add(chunk as Buffer)
    lines.end()
    const result = reader.result()
    return { tools, finalMessage: result !== null && 'finalMessage' in result ? result.finalMessage : '' }
  },
  readline: async (path) => {
    const found = { tools: 0, finalMessage: '' }
    const input = createReadStream(path, { highWaterMark: CHUNK_BYTES })
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const record = JSON.parse(line) as { type: string; result?: string; message?: { content: { type: string }[] } }
      if (record.type === 'result') found.finalMessage = record.result ?? ''
      if (record.type === 'user' && record.message?.content[0]?.type === 'tool_result') found.tools += 1
    }
    return found
  },
}

const [, , who = '', path = ''] = process.argv
const before = process.cpuUsage()
const found = await readers[who]?.(path)
const { user, system } = process.cpuUsage(before)
const seconds = (user + system) / 1_000_000
const reading: Reading = {
  seconds,
  rssMb: process.resourceUsage().maxRSS / 1024,
  ...(found ?? { tools: 0, finalMessage: '' }),
}
console.log(JSON.stringify(reading))
