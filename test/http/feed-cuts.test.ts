// A reader that is cut off at random, two hundred times during a build, by WebSocket and by server-sent events, ends with
// exactly the facts of the store.
import { expect, it } from 'vitest'
import { type Body, type Served, served } from './served.ts'
import { project } from '../rig/project.ts'
import { work } from '../rig/sessions.ts'
import { seeded } from '../arbitraries/seeded.ts'

const SEED = Number(process.env['RALPH_TEST_SEED'] ?? Date.now() % 1_000_000)
const CUTS = 200
const NAMES = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

type At = Pick<Served, 'address' | 'token'>

/** When to hang up: after so many facts, or after so long, whichever is first. */
interface Cut {
  readonly facts: number
  readonly ms: number
}

function bySocket({ address, token }: At, ref: string, after: string, cut: Cut, told: (fact: Body) => void) {
  const url = `${address.replace('http', 'ws')}/api/build/${ref}/stream?after=${after}`
  const socket = new WebSocket(url, ['ralph', `ralph.bearer.${token}`])
  return new Promise<void>((resolve, reject) => {
    let left = cut.facts
    const timer = setTimeout(() => hangUp(), cut.ms)
    const hangUp = (): void => {
      left = 0
      socket.close()
    }
    socket.addEventListener('message', ({ data }) => {
      if (left === 0) return
      left -= 1
      told(JSON.parse(String(data)) as Body)
      if (left === 0) hangUp()
    })
    socket.addEventListener('error', () => (left === 0 ? resolve() : reject(new Error('refused'))))
    socket.addEventListener('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

async function byEvents({ address, token }: At, ref: string, after: string, cut: Cut, told: (fact: Body) => void) {
  const over = AbortSignal.timeout(cut.ms)
  let left = cut.facts
  try {
    const headers = { authorization: `Bearer ${token}`, 'last-event-id': after }
    const answer = await fetch(`${address}/api/build/${ref}/events`, { headers, signal: over })
    const decoder = new TextDecoder()
    let text = ''
    for await (const part of answer.body ?? []) {
      text += decoder.decode(part, { stream: true })
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1]
        if (data === undefined) continue
        told(JSON.parse(data) as Body)
        left -= 1
        if (left === 0) return
      }
    }
  } catch (error) {
    if (!over.aborted) throw error
  }
}

it(`loses nothing and has nothing twice (RALPH_TEST_SEED=${SEED})`, async () => {
  const random = seeded(SEED)
  const upTo = (most: number): number => 1 + Math.floor(random() * most)
  const made = project({ script: NAMES.map((task) => ({ role: 'implementer', task, steps: work(task) })) })
  const server = await served(made)
  const elsewhere = made.start(['build'])
  await elsewhere.saw('Build b_')
  const [id, idea] = [made.build(), String(made.json('status')['ideaId'])]
  const facts: Body[] = []
  const told = (fact: Body): void => void facts.push(fact)
  const ways = { socket: 0, events: 0 }
  for (let cuts = 0; cuts < CUTS; cuts += 1) {
    const way = random() < 0.5 ? 'socket' : 'events'
    ways[way] += 1
    const seq = Number(facts.at(-1)?.['seq'] ?? 0)
    const after = random() < 0.5 ? String(seq) : `${id}:${seq}`
    const cut = { facts: upTo(3), ms: upTo(40) }
    await (way === 'socket' ? bySocket : byEvents)(server, random() < 0.5 ? idea : id, after, cut, told)
  }
  expect((await elsewhere.ended).code).toBe(0)
  const log = made
    .ralph(['log', '--json'])
    .stdout.trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Body)
  const rest = log.length - facts.length
  const last = `${id}:${facts.length}`
  if (rest > 0) await bySocket(server, idea, last, { facts: rest, ms: 10_000 }, told)
  expect(facts).toEqual(log)
  expect(Math.min(ways.socket, ways.events)).toBeGreaterThan(CUTS / 4)
})
