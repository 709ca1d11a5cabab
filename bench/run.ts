// npm run bench: measures and prints. A slow result is no failure: it exits 0.
import { parseArgs } from 'node:util'
import type { Benchmark } from './benchmark.ts'
import { feed } from './feed.ts'
import { type Report, summarize } from './figures.ts'
import { loopIteration } from './loop-iteration.ts'
import { loopLarge } from './loop-large.ts'
import { loopMemory } from './loop-memory.ts'
import { lookAtMachine, renderMachine } from './machine.ts'
import { stream } from './stream.ts'
import { renderReport } from './table.ts'
import { taskClaims } from './task-claims.ts'
import { taskPeek } from './task-peek.ts'
import { inTempFolder } from './temp-folder.ts'
import { web } from './web.ts'
import { verify } from './verify.ts'

const benchmarks: readonly Benchmark[] = [
  taskPeek,
  taskClaims,
  loopIteration,
  loopLarge,
  loopMemory,
  stream,
  verify,
  feed,
  web,
]

const USAGE = `Usage: npm run bench -- [NAME …] [--rounds N] [--long] [--json]
Benchmarks: ${benchmarks.map(({ name }) => name).join(', ')}; 'task' means all of task/…
--long: also what takes minutes.
TMPDIR says where the files are made; on tmpfs a durable write costs nothing.`

const LEGEND = `best: the shortest time, or the highest rate.
× floor: each sample divided by the floor's of the same round, and of these the median. Rounds go A B A B, so load hits both.`

try {
  await main()
} catch (error) {
  process.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      long: { type: 'boolean' },
      rounds: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(USAGE)
  const length = values.long ? 'long' : 'short'
  const rounds = values.rounds === undefined ? null : wholeNumber(values.rounds)
  const chosen = positionals.length === 0 ? benchmarks : positionals.flatMap(benchmarksNamed)
  const machine = await inTempFolder(async (folder) => lookAtMachine(folder))
  if (!values.json) console.log(`${renderMachine(machine)}\n`)
  const reports: Report[] = []
  for (const benchmark of chosen) {
    process.stderr.write(`measuring ${benchmark.name} …\n`)
    const report = await inTempFolder((folder) => benchmark.run(folder, rounds ?? benchmark.rounds, length))
    if (!values.json) console.log(renderReport(report))
    reports.push(report)
  }
  console.log(values.json ? JSON.stringify({ machine, reports: reports.map(asJson) }) : LEGEND)
}

function asJson({ groups, ...report }: Report): unknown {
  return { ...report, groups: groups.map((group) => ({ ...group, figures: summarize(group) })) }
}

function benchmarksNamed(word: string): readonly Benchmark[] {
  const found = benchmarks.filter(({ name }) => name === word || name.startsWith(`${word}/`))
  if (found.length > 0) return found
  throw new Error(`there is no benchmark '${word}'; known are ${benchmarks.map(({ name }) => name).join(', ')}`)
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error('--rounds must be a positive whole number')
  return Number(text)
}
