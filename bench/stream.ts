// Reading what an agent prints: it must never be what a session waits for, nor what fills the memory.
import { join } from 'node:path'
import type { Benchmark } from './benchmark.ts'
import { interleave } from './interleave.ts'
import { output } from './ralph.ts'
import { FINAL_MESSAGE, plantTranscript } from './stream-transcript.ts'
import { shown } from './table.ts'

const MB = 1_000_000
const BYTES = 500 * MB

/** What one process took, and what it found in the transcript. */
export interface Reading {
  /** Of computing: what else the machine does is not in it. */
  readonly seconds: number
  readonly rssMb: number
  readonly tools: number
  readonly finalMessage: string
}

const contenders = [
  { name: 'readline + JSON.parse of every line', who: 'readline' },
  { name: 'our reader, with its events', who: 'ours' },
] as const

export const stream: Benchmark = {
  name: 'stream',
  rounds: 5,
  run: async (folder, rounds) => {
    const path = join(folder, 'transcript.jsonl')
    const planted = await plantTranscript(path, BYTES)
    const worker = join(import.meta.dirname, 'stream-worker.ts')
    const measured = await interleave(
      contenders.map(({ name, who }) => ({
        name,
        measure: async (): Promise<Reading> => {
          const reading = JSON.parse(output(folder, [process.execPath, worker, who, path])) as Reading
          if (reading.tools === planted.tools && reading.finalMessage === FINAL_MESSAGE) return reading
          throw new Error(`${name} read ${reading.tools} tools of ${planted.tools}`)
        },
      })),
      rounds,
    )
    const group = (of: (reading: Reading) => number) =>
      measured.map(({ name, samples }) => ({ name, samples: samples.map(of) }))
    const [rateFloor, rate] = group(({ seconds }) => planted.bytes / MB / seconds)
    const [rssFloor, rss] = group(({ rssMb }) => rssMb)
    if (!rateFloor || !rate || !rssFloor || !rss) throw new Error('nothing was measured')
    return {
      name: 'stream',
      about: [
        `A transcript of Claude Code of ${shown(Math.round(planted.bytes / MB))} MB: ${shown(planted.lines)} lines, ${shown(planted.tools)} tools.`,
      ],
      groups: [
        {
          title: 'per second of computing',
          unit: 'MB/s',
          figures: [rateFloor, { ...rate, goal: { bound: 'at least', ratio: 1.2 } }],
        },
        {
          title: 'the most memory of the process',
          unit: 'MB',
          figures: [rssFloor, { ...rss, goal: { bound: 'at most', ratio: 1.1 } }],
        },
      ],
    }
  },
}
