import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundled, type Ended, start } from '../concurrency/program.ts'
import { remains } from './remains.ts'
import { seeded } from '../arbitraries/seeded.ts'

const DATABASES = 20
const TRIALS = 10
const SEED = Number(process.env['RALPH_TEST_SEED'] ?? Date.now() % 1_000_000)

let folder: string
let program: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ralph crash '))
  program = await bundled(new URL('writer.ts', import.meta.url), folder)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Random = () => number

/** Lets a writer write and kills it: while it starts, or some time after one of its first writes was acknowledged. */
async function killed(path: string, name: string, random: Random): Promise<Ended> {
  const early = random() < 0.2
  const after = Math.floor(random() * 60)
  const delayMs = early ? random() * 150 : random() * 3
  let acknowledged = 0
  let reached = (): void => {}
  const enough = new Promise<void>((resolve) => (reached = resolve))
  const child = start(program, [path, name], () => {
    if (acknowledged++ === after) reached()
  })
  await Promise.race([early ? Promise.resolve() : enough, child.ended])
  await sleep(delayMs)
  child.process.kill('SIGKILL')
  return child.ended
}

/** Of each task the last write that was acknowledged. */
function acknowledgedBy({ lines }: Ended): Map<string, number> {
  return new Map(lines.map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]))
}

const total = (writes: Iterable<number>) => [...writes].reduce((sum, one) => sum + one, 0)

/** Kills writers on one database, again and again; tells how many acknowledged writes were looked for. */
async function torment(path: string, random: Random): Promise<number> {
  let before = new Map<string, number>()
  let looked = 0
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const names = random() < 0.3 ? [`${trial}a`, `${trial}b`] : [`${trial}a`]
    const ends = await Promise.all(names.map((name) => killed(path, name, random)))
    expect(ends.map(({ signal, stderr }) => ({ signal, stderr }))).toEqual(
      ends.map(() => ({ signal: 'SIGKILL', stderr: '' })),
    )
    if (!existsSync(path)) continue
    const found = await remains(path)
    expect(new Map([...found].filter(([id]) => before.has(id)))).toEqual(before)
    for (const [index, end] of ends.entries()) {
      const acknowledged = acknowledgedBy(end)
      const own = [...found].filter(([id]) => id.startsWith(`${names[index]}-`))
      const unsaid = total(own.map(([, writes]) => writes)) - total(acknowledged.values())
      expect([0, 1]).toContain(unsaid)
      const missing = [...acknowledged].filter(([id, writes]) => (found.get(id) ?? 0) < writes)
      expect(missing).toEqual([])
      looked += total(acknowledged.values())
    }
    before = found
  }
  return looked
}

describe(`kill -9 of a writer loses no acknowledged write (RALPH_TEST_SEED=${SEED})`, () => {
  it.for(Array.from({ length: DATABASES }, (_, number) => number + 1))(
    `database %i, killed ${TRIALS} times`,
    async (number) => {
      expect(await torment(join(folder, `${number}.db`), seeded(SEED + number))).toBeGreaterThan(0)
    },
  )
})
