import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { BuildId, IdeaId } from '../../core/values/id.ts'
import { madeStore } from '../../../test/rig/sqlite-store.ts'
import type { Store } from '../../store/store.ts'
import { type FeedStart, feedStart, openFeed } from './feed.ts'
import { HANG_MS } from '../../../test/rig/hang.ts'

const SCOPE = { repo: '/srv/shop', branch: 'main' }
const idea = 'shop' as IdeaId
const FIRST = 'b_1' as BuildId
const SECOND = 'b_2' as BuildId
const WAIT = { timeout: HANG_MS, interval: 5 }

async function setUp() {
  const { store } = await madeStore()
  const over = new AbortController()
  onTestFinished(() => over.abort())
  const create = (id: BuildId) => {
    const times = { startedAt: 0, lastActivityAt: 0 }
    return store.builds.create(
      SCOPE,
      { id, idea, spec: null, state: 'running', configHash: '', lastError: null, ...times },
      [],
    )
  }
  const end = (id: BuildId) => store.builds.move(id, ['running'], 'complete', { type: 'buildComplete' })
  const note = (id: BuildId, error: string) => store.builds.note(id, { type: 'buildFailed', error })
  const open = (seen: Store = store) =>
    openFeed(
      [{ context: { store: seen, scope: SCOPE, now: Date.now, unique: () => '1', person: 'ada' }, repository: 'shop' }],
      over.signal,
    )
  return { store, create, end, note, open }
}

/** A reader with room for so many pieces at a time. */
function reader(
  feed: ReturnType<typeof openFeed>,
  ref: string,
  start: FeedStart = { build: null, after: 0 },
  room = 100,
) {
  const heard: string[] = []
  let left = room
  const following = feed.follow({
    ref,
    start,
    take: ({ facts }) => {
      heard.push(...facts.map(({ fact }) => `${fact.sessionId}:${fact.seq}`))
      left -= 1
      return left > 0
    },
    fail: (error) => heard.push(String(error)),
  })
  onTestFinished(following.end)
  const goOn = () => {
    left = room
    following.goOn()
  }
  return { heard, goOn, end: following.end }
}

it.for([
  ['17', { build: null, after: 17 }],
  ['b_1:17', { build: 'b_1', after: 17 }],
] as const)('%s is where to go on', ([text, start]) => {
  expect(feedStart(text)).toEqual(start)
})

describe('the feed', () => {
  it('reads what was recorded last before it goes on with the next build of an idea', async () => {
    const { store, create, end, note, open } = await setUp()
    await create(FIRST)
    // Between the last look at a build and the look for the next one, the build ends and the next begins.
    let isCaught = false
    const list: Store['builds']['list'] = async (scope, filter) => {
      if (filter.idea !== undefined && feed.readers() > 0 && at.heard.length === 1 && !isCaught) {
        isCaught = true
        await note(FIRST, 'late')
        await end(FIRST)
        await create(SECOND)
      }
      return store.builds.list(scope, filter)
    }
    const feed = open({ ...store, builds: { ...store.builds, list } })
    const at = reader(feed, idea)
    await vi.waitUntil(() => at.heard.length >= 4, WAIT)
    expect(at.heard).toEqual(['b_1:1', 'b_1:2', 'b_1:3', 'b_2:1'])
    expect(isCaught).toBe(true)
  })

  it('gives a reader no more than it has room for, and others go on meanwhile', async () => {
    const { create, note, open } = await setUp()
    await create(FIRST)
    const long = 'x'.repeat(70_000)
    for (let fact = 2; fact <= 40; fact += 1) await note(FIRST, long)
    const feed = open()
    const all = Array.from({ length: 40 }, (_, at) => `b_1:${at + 1}`)
    const [slow, quick] = [reader(feed, FIRST, undefined, 3), reader(feed, FIRST)]
    await vi.waitUntil(() => quick.heard.length === 40, WAIT)
    expect([slow.heard, quick.heard]).toEqual([all.slice(0, 3), all])
    while (slow.heard.length < 40) {
      const before = slow.heard.length
      slow.goOn()
      await vi.waitUntil(() => slow.heard.length > before, WAIT)
    }
    expect(slow.heard).toEqual(all)
  })

  it('who comes in the middle, beyond the end, or for a build that is gone, gets what there is from there', async () => {
    const { create, note, open } = await setUp()
    await create(FIRST)
    await note(FIRST, 'two')
    const feed = open()
    const [middle, beyond, other] = [
      reader(feed, FIRST, { build: null, after: 1 }),
      reader(feed, idea, { build: FIRST, after: 3 }),
      reader(feed, idea, { build: 'b_gone', after: 7 }),
    ]
    await vi.waitUntil(() => other.heard.length === 2, WAIT)
    for (const error of ['three', 'four']) await note(FIRST, error)
    await vi.waitUntil(() => [middle, beyond, other].every(({ heard }) => heard.at(-1) === 'b_1:4'), WAIT)
    expect([middle.heard, beyond.heard, other.heard]).toEqual([
      ['b_1:2', 'b_1:3', 'b_1:4'],
      ['b_1:4'],
      ['b_1:1', 'b_1:2', 'b_1:3', 'b_1:4'],
    ])
    for (const { end } of [middle, beyond, other]) end()
    expect(feed.readers()).toBe(0)
  })
})
