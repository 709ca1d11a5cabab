import { describe, expect, it } from 'vitest'
import type { BuildId, IdeaId } from '../../core/values/id.ts'
import type { Message, SendResult, Way } from '../../notify/notify.ts'
import { madeStore } from '../../../test/rig/sqlite-store.ts'
import { sendNotices } from './notices.ts'

const BUILD = 'b_1' as BuildId
const SCOPE = { repo: '/srv/shop', branch: 'main' }

/** A store with one build, a clock that is moved by hand, and a way that answers as it is told. */
async function setUp(answer: (message: Message) => SendResult | Promise<SendResult> = () => ({ is: 'sent' })) {
  const clock = { now: 1_000_000 }
  const { store } = await madeStore(() => clock.now)
  const times = { startedAt: 0, lastActivityAt: 0 }
  const of = { idea: 'i_1' as IdeaId, spec: null, configHash: '', lastError: null }
  await store.builds.create(SCOPE, { id: BUILD, state: 'running', ...of, ...times }, [])
  const heard: Message[] = []
  const way: Way = {
    name: 'way of the test',
    send: async (message) => {
      heard.push(message)
      return answer(message)
    },
  }
  const notes: string[] = []
  const settings = { build: BUILD, ways: [way], repository: 'shop', note: (text: string) => void notes.push(text) }
  const fail = (error: string) =>
    store.builds.move(BUILD, ['running', 'failed'], 'failed', { type: 'buildFailed', error })
  return { store, clock, heard, notes, fail, settings, tell: () => sendNotices({ store }, settings, [1, 1]) }
}

describe('notices', () => {
  it('are told in order, also those that were recorded before and just before the end, and once', async () => {
    const { heard, fail, tell, notes } = await setUp()
    await fail('one')
    const first = tell()
    await fail('two')
    await first.end()
    await tell().end()
    expect(heard.map(({ id, sentence, repository }) => [id, sentence, repository])).toEqual([
      ['b_1/2', 'Build b_1 failed: one', 'shop'],
      ['b_1/3', 'Build b_1 failed: two', 'shop'],
    ])
    expect(notes).toEqual([])
  })

  it('that two processes see are told by one of them', async () => {
    const { heard, fail, tell } = await setUp()
    const both = [tell(), tell()]
    await fail('one')
    await Promise.all(both.map(({ end }) => end()))
    expect(heard).toHaveLength(1)
  })

  it('that a killed process was at are told by who comes after it', async () => {
    const { store, clock, heard, fail, tell } = await setUp()
    await fail('one')
    expect(await store.notices.claim(BUILD, 2, 15_000)).toBe('ours')
    const ending = tell().end()
    clock.now += 15_000
    await ending
    expect(heard.map(({ id }) => id)).toEqual(['b_1/2'])
  })

  it('are tried again, then given up with one remark, and not tried by the next process', async () => {
    const { heard, fail, tell, notes } = await setUp(() => ({ is: 'failed', reason: 'HTTP 500', again: 'useful' }))
    await fail('one')
    await tell().end()
    await tell().end()
    expect(heard).toHaveLength(3)
    expect(notes).toEqual(['the way of the test could not be told (HTTP 500); the build goes on without it'])
  })

  it('where it is useless are tried once, and every way is told of once', async () => {
    const { heard, fail, tell, notes } = await setUp(() => ({ is: 'failed', reason: 'HTTP 404', again: 'useless' }))
    await fail('one')
    await fail('two')
    await tell().end()
    expect([heard.length, notes.length]).toEqual([2, 1])
  })

  it('are nobody’s business where there is no way', async () => {
    const { store, fail, settings } = await setUp()
    const none = sendNotices({ store }, { ...settings, ways: [] })
    await fail('one')
    await none.end()
    expect(await store.notices.claim(BUILD, 2, 1)).toBe('ours')
  })
})
