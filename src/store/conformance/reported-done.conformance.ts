// Claims that a task of a build is done, which nothing has proved yet.
import { describe, expect, it } from 'vitest'
import type { AgentCause } from '../../core/fact/fact.ts'
import { type CommitId, type EvidenceId, taskId, type TreeId } from '../../core/values/id.ts'
import type { ReportFact } from '../../core/fact/fact.ts'
import { isReported } from '../../core/task/reported.ts'
import { markCompleted, reportDone } from '../../core/task/task.ts'
import {
  agent,
  BUILD,
  begin,
  claim,
  found,
  ids,
  LEASE_SECONDS,
  type OpenStore,
  build,
  plant,
  type Rig,
  SCOPE,
  setUp,
  start,
} from './rig.conformance.ts'

const result = { commit: 'c1' }

/** An agent outside of the build claims the task and says that it is done. */
async function say(rig: Rig, id: string): Promise<void> {
  await claim(rig, id, 'ada')
  await rig.store.tasks.change(SCOPE, taskId(id), (one, now) => reportDone(one, agent('ada'), result, now))
}

const byLoop = { agent: agent('loop-1'), leaseSeconds: LEASE_SECONDS, build: BUILD }
const byAgent = { agent: agent('bob'), leaseSeconds: LEASE_SECONDS }

export function describeReportedDone(open: OpenStore): void {
  describe('a task that is said to be done', () => {
    it('counts as active and holds its dependants up', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [], b: ['a'] })
      await say(rig, 'a')
      expect(await rig.store.tasks.counts(SCOPE)).toEqual({ open: 0, active: 1, done: 0, blocked: 1, deleted: 0 })
      expect(await rig.store.tasks.claim(SCOPE, byAgent)).toBeNull()
    })

    it('is shown to no agent and given to none, by name or not; a loop gets it at once', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      await say(rig, 'a')
      expect(await rig.store.tasks.claimable(SCOPE, 9)).toEqual([])
      expect(await rig.store.tasks.claim(SCOPE, byAgent)).toBeNull()
      expect(await rig.store.tasks.claim(SCOPE, { ...byAgent, id: taskId('a') })).toBeNull()
      const claim = await rig.store.tasks.claim(SCOPE, byLoop)
      const reportedDone = { where: 'outside', by: 'ada', result }
      expect(claim?.task).toMatchObject({ id: 'a', assignee: 'loop-1', heldBy: 'loop', reportedDone, retryCount: 0 })
      expect(await found(rig, 'a')).toEqual(claim?.task)
    })

    it('by a session of a loop that died is anybody’s when the lease has run out', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      await rig.store.tasks.claim(SCOPE, byLoop)
      await rig.store.tasks.change(SCOPE, taskId('a'), (one, now) => reportDone(one, null, null, now))
      expect(await rig.store.tasks.claim(SCOPE, byAgent)).toBeNull()
      rig.pass(LEASE_SECONDS * 1000)
      expect((await rig.store.tasks.claimable(SCOPE, 9)).map(({ id }) => id)).toEqual(['a'])
      expect((await rig.store.tasks.claim(SCOPE, byAgent))?.task).toMatchObject({ assignee: 'bob', reportedDone: null })
    })

    it('is a loop’s also where another loop gave it back', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      await say(rig, 'a')
      await rig.store.tasks.change(SCOPE, taskId('a'), (one) => ({ ...one, status: 'open', assignee: null }))
      expect(await rig.store.tasks.claimable(SCOPE, 9)).toEqual([])
      expect(await rig.store.tasks.claim(SCOPE, { ...byAgent, id: taskId('a') })).toBeNull()
      expect((await rig.store.tasks.claim(SCOPE, { ...byLoop, id: taskId('a') }))?.task.id).toBe('a')
    })

    it('is opened again with the reason in the step that records that it is red; the loop has lost it', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      await say(rig, 'a')
      const taken = await rig.store.tasks.claim(SCOPE, byLoop)
      const lease = { scope: SCOPE, task: taskId('a'), fence: taken?.task.fence ?? 0 }
      const about = { taskId: taskId('a'), attempt: 1, tree: 't1' as TreeId }
      const signal = { kind: 'TASK_COMPLETE' } as const
      const verdict = { is: 'red', error: 'unit failed' } as const
      const facts: AgentCause[] = [
        { type: 'iterationDone', ...about, iteration: 1, signal, error: null },
        { type: 'verified', ...about, verdict, evidence: 'e1' as EvidenceId },
      ]
      for (const fact of facts) {
        await begin(rig, lease)
        expect(await rig.store.builds.record(lease, BUILD, fact)).toMatchObject({ kept: true })
      }
      expect(await found(rig, 'a')).toMatchObject({ status: 'open', failReason: 'unit failed', reportedDone: null })
      expect(await begin(rig, lease)).toEqual({ kept: false })
      expect((await rig.store.tasks.claim(SCOPE, byAgent))?.task.id).toBe('a')
    })
  })

  describe('a task that was reported done outside a build', () => {
    const commit = 'c9' as CommitId
    const verified: ReportFact = { type: 'reportVerified', taskId: taskId('a'), commit, checks: 'unit green' }
    const refused: ReportFact = { type: 'reportRefused', taskId: taskId('a'), commit, reason: 'unit is red' }

    /** a is reported; b waits for it. */
    async function reported() {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: ['a'], c: [] })
      await claim(rig, 'a', 'ada')
      await rig.store.tasks.change(SCOPE, taskId('a'), (one, now) => markCompleted(one, agent('ada'), result, now))
      await rig.store.builds.create(SCOPE, build(rig), ids('a', 'b', 'c'))
      return rig
    }

    it('is found, and kept in the file', async () => {
      const rig = await reported()
      const again = await rig.again()
      for (const store of [rig.store, again])
        expect((await store.tasks.reported(SCOPE)).map(({ id }) => id)).toEqual(['a'])
      expect(await rig.store.tasks.reported({ ...SCOPE, branch: 'other' })).toEqual([])
      expect(await rig.store.tasks.counts(SCOPE)).toEqual({ open: 2, active: 0, done: 1, blocked: 0, deleted: 0 })
    })

    it('holds its dependants up for loops alone, by name or not', async () => {
      const rig = await reported()
      expect((await rig.store.tasks.claim(SCOPE, byLoop))?.task.id).toBe('c')
      expect(await rig.store.tasks.claim(SCOPE, byLoop)).toBeNull()
      expect(await rig.store.tasks.claim(SCOPE, { ...byLoop, id: taskId('b') })).toBeNull()
      expect((await rig.store.tasks.claim(SCOPE, byAgent))?.task.id).toBe('b')
    })

    it('frees them when it is verified, with the fact, once', async () => {
      const rig = await reported()
      expect(await rig.store.builds.settleReport(BUILD, verified)).toBe(true)
      const task = await found(rig, 'a')
      expect(task).toMatchObject({
        status: 'done',
        result,
        reportedDone: { verified: { commit, checks: 'unit green' } },
      })
      expect([isReported(task), await rig.store.tasks.reported(SCOPE)]).toEqual([false, []])
      expect(await rig.store.builds.settleReport(BUILD, refused)).toBe(false)
      expect((await rig.store.builds.facts(BUILD, 0, 99)).map(({ fact }) => fact.type)).toEqual([
        'buildStarted',
        'reportVerified',
      ])
      expect((await rig.store.tasks.claim(SCOPE, byLoop))?.task.id).toBe('b')
    })

    it('is open again in the build when it is refused, with the fact', async () => {
      const rig = await reported()
      expect(await rig.store.builds.settleReport(BUILD, refused)).toBe(true)
      expect(await found(rig, 'a')).toMatchObject({
        status: 'open',
        build: BUILD,
        failReason: 'unit is red',
        reportedDone: null,
        retryCount: 1,
      })
      expect((await rig.store.builds.facts(BUILD, 0, 99)).at(-1)?.fact).toEqual(refused)
      expect((await rig.store.tasks.claim(SCOPE, byLoop))?.task.id).toBe('a')
    })

    it('that nobody knows settles nothing', async () => {
      const rig = await reported()
      expect(await rig.store.builds.settleReport(BUILD, { ...verified, taskId: taskId('nope') })).toBe(false)
      expect(await rig.store.builds.settleReport(BUILD, { ...verified, taskId: taskId('c') })).toBe(false)
      expect((await rig.store.builds.facts(BUILD, 0, 99)).length).toBe(1)
    })
  })
}
