// A loop in another process, as far as the feed can tell: `node feed-writer.ts STORE REPO BRANCH` records facts when told a
// phase.
import { setTimeout as sleep } from 'node:timers/promises'
import type { BuildId, IdeaId } from '../src/core/values/id.ts'
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { factsIn, type Phase, STEADY, textNow } from './feed-terms.ts'

const [, , path = '', repo = '', branch = ''] = process.argv
const store = await openSqliteStore(path, Date.now)
const id = 'b_bench' as BuildId
const idea = 'bench' as IdeaId
const times = { startedAt: Date.now(), lastActivityAt: Date.now() }
const build = { id, idea, spec: null, state: 'running', configHash: '', lastError: null, ...times } as const
await store.builds.create({ repo, branch }, build, null)

process.on('message', (phase: Phase) => void play(phase))
process.send?.('ready')

async function play(phase: Phase): Promise<void> {
  for (let fact = 0; fact < factsIn(phase); fact += 1) {
    await store.builds.note(id, { type: 'buildFailed', error: textNow() })
    if (phase === 'steady') await sleep(STEADY.pauseMs)
  }
}
