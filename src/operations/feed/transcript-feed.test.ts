import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { IdeaId } from '../../core/values/id.ts'
import { planningPlace } from '../../core/session/session-name.ts'
import { madeStore } from '../../../test/rig/sqlite-store.ts'
import { addIdea } from '../ideas/ideas.ts'
import { AT_WORK, PLANNER } from '../ideas/planning-now.ts'
import { followTranscript } from './transcript-feed.ts'
import type { TranscriptNews } from '../contract/contract.ts'

/** An idea that is planned, so that its session runs until somebody moves it. */
async function setUp() {
  const { folder, store } = await madeStore()
  const over = new AbortController()
  onTestFinished(() => over.abort())
  const context = {
    store,
    scope: { repo: '/srv/shop', branch: 'main' },
    now: Date.now,
    unique: () => '1',
    person: 'ada',
  }
  const { id } = await addIdea(context, { text: 'A shop' })
  const move = (to: 'specification' | 'ideation_ready', from: 'ideation' | 'specification') =>
    store.ideas.move(id, from, { to, by: PLANNER, reason: AT_WORK })
  const since = (await move('specification', 'ideation'))?.updatedAt ?? 0
  const fileOf = (turn: number) => join(folder, planningPlace(id as IdeaId, since), `1-${turn}-planner.jsonl`)
  const servedRepo = { context, transcriptFile: async (name: string) => join(folder, `${name}.jsonl`) }
  const news = followTranscript(servedRepo, `${id}.${since}.1.1.planner`, over.signal)
  const next = async (): Promise<TranscriptNews | undefined> => (await news.next()).value ?? undefined
  const say = (text: string, turn = 1): void => {
    mkdirSync(dirname(fileOf(turn)), { recursive: true })
    appendFileSync(fileOf(turn), text)
  }
  return { next, news, say, over, end: () => move('ideation_ready', 'specification') }
}

it('tells how much there is from before the first word to the last, and then that it is over', async () => {
  const { next, news, say, end } = await setUp()
  expect(await next()).toEqual({ type: 'grew', bytes: 0 })
  // Neither the file nor its folder was there.
  say('one\n')
  expect(await next()).toEqual({ type: 'grew', bytes: 4 })
  // However often it grows while nobody takes the news, that is one piece of news.
  for (let word = 0; word < 1_000; word += 1) say('more\n')
  expect(await next()).toEqual({ type: 'grew', bytes: 5_004 })
  say('again\n', 2)
  expect(await next()).toEqual({ type: 'begun' })
  say('last\n')
  await end()
  expect([await next(), await next(), (await news.next()).done]).toEqual([
    { type: 'grew', bytes: 5_009 },
    { type: 'ended' },
    true,
  ])
})

it('ends with its reader', async () => {
  const { next, news, over } = await setUp()
  await next()
  const waiting = news.next()
  over.abort()
  expect(await waiting).toEqual({ done: true, value: undefined })
})
