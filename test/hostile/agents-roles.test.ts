// Answers that are none, limits, and logins that are missing.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Fact } from '../../src/core/fact.ts'
import { audit, brokenLaws } from '../crash/build-audit.ts'
import { bundledBuild, openStage, type Stage } from '../crash/build-stage.ts'
import { told } from './told.ts'

let made: Awaited<ReturnType<typeof bundledBuild>>

beforeAll(async () => {
  made = await bundledBuild()
})
afterAll(() => made.remove())

const good = { write: { path: 'evil.txt', content: 'good\n' } }
const complete = { signal: { kind: 'TASK_COMPLETE' } }
const stuck = { signal: { kind: 'TASK_STUCK', reason: 'the goal is unclear' } }
const garbage = { answerText: 'I think that this is all very fine.' }
const next = {
  task: 'next',
  role: 'implementer',
  steps: [{ write: { path: 'next.txt', content: 'good\n' } }, complete],
}
const DONE = { reason: 'AllTasksComplete', detail: null }
const CHECK = '[checks]\nunit = "sh check.sh"\n'

interface Cast {
  /** Of the task `evil`. */
  readonly parts: readonly object[]
  readonly toml?: string
}

async function played({ parts, toml = CHECK }: Cast, heard: (fact: Fact, stage: Stage) => void = () => {}) {
  const stage = await openStage(made.program, {
    tasks: ['evil', 'next'].map((id) => ({ id, title: `Task ${id}` })),
    parts: [...parts.map((part) => ({ task: 'evil', role: 'implementer', ...part })), next],
    toml,
  })
  try {
    const { end, facts } = await stage.run({}, (fact) => heard(fact, stage)).life
    const found = await audit(stage)
    const landed = found.landed.map(({ attempt }) => attempt)
    return { end, told: facts.flatMap(told), broken: brokenLaws(found), landed, tasks: found.tasks, state: found.state }
  } finally {
    stage.remove()
  }
}

const ALL_DONE = { end: DONE, broken: [], state: 'complete', tasks: ['evil done null 0', 'next done null 0'] }

it('an agent that is stuck gets help by SIA, and its rewritten task succeeds', async () => {
  const fixed = {
    type: 'fixed',
    technique: 'example_injection',
    modified_task: { title: 'Task evil, with an example' },
  }
  const found = await played({
    parts: [
      { attempt: 1, steps: [stuck] },
      { attempt: 2, steps: [good, complete] },
      { role: 'sia', steps: [{ answer: fixed }] },
    ],
  })
  expect(found).toEqual({
    ...ALL_DONE,
    told: [
      '1/1 TASK_STUCK',
      'failed: the goal is unclear',
      'sia: fixed',
      '2/1 TASK_COMPLETE',
      'verified green',
      'merged',
    ],
    landed: ['evil/2/1', 'next/1/1'],
  })
})

it('garbage from SIA, twice, asks a human, and the other tasks go on', async () => {
  const found = await played({ parts: [{ steps: [stuck] }, { role: 'sia', steps: [garbage] }] })
  expect(found).toEqual({
    end: { reason: 'HumanNeeded', detail: null },
    told: [
      '1/1 TASK_STUCK',
      'failed: the goal is unclear',
      'sia: escalate',
      expect.stringMatching(/^human: the goal is unclear \(SIA gave no usable answer: /),
    ],
    broken: [],
    landed: ['next/1/1'],
    state: 'running',
    tasks: ['evil waiting null 0', 'next done null 0'],
  })
})

it('an agent that changes nothing, again and again, is stuck by rule', async () => {
  const { told: said, landed } = await played({ parts: [{ steps: [] }, { role: 'sia', steps: [garbage] }] })
  expect([said.slice(0, 5), landed]).toEqual([
    ['1/1 no signal', '1/2 no signal', '1/3 no signal', 'failed: the same tree 3 times in a row', 'sia: escalate'],
    ['next/1/1'],
  ])
})

it('garbage from the reviewer, twice, fails the attempt', async () => {
  const found = await played({
    parts: [
      { steps: [good, complete] },
      { role: 'reviewer', attempt: 1, steps: [garbage] },
      { role: 'reviewer', steps: [{ answer: { decision: 'approve', reasons: [], required_fixes: [] } }] },
      { task: 'next', role: 'reviewer', steps: [{ answer: { decision: 'approve', reasons: [], required_fixes: [] } }] },
    ],
    toml: `[review]\nwhen = "always"\n${CHECK}`,
  })
  expect(found).toEqual({
    ...ALL_DONE,
    told: [
      '1/1 TASK_COMPLETE',
      'verified green',
      expect.stringMatching(/^failed: review: the reviewer gave no usable answer: /),
      '2/1 TASK_COMPLETE',
      'verified green',
      'merged',
    ],
    landed: ['evil/2/1', 'next/1/1'],
  })
})

it('a reviewer that changes files is not believed', async () => {
  const approve = { answer: { decision: 'approve', reasons: [], required_fixes: [] } }
  const found = await played({
    parts: [
      { steps: [good, complete] },
      { role: 'reviewer', attempt: 1, steps: [{ write: { path: 'evil.txt', content: 'mine\n' } }, approve] },
      { role: 'reviewer', steps: [approve] },
      { task: 'next', role: 'reviewer', steps: [approve] },
    ],
    toml: `[review]\nwhen = "always"\n${CHECK}`,
  })
  expect([found.told[2], found.landed, found.broken]).toEqual([
    expect.stringMatching(/^failed: review: .*you changed evil\.txt; only read/),
    ['evil/2/1', 'next/1/1'],
    [],
  ])
})

it('a rate limit is waited out and costs no attempt', async () => {
  const sessions = [{ task: 'evil', steps: [good, complete] }, next]
  const found = await played(
    { parts: [{ steps: [{ fail: { kind: 'rateLimit', sentence: 'too many requests', untilInSeconds: 1 } }] }] },
    (fact, { folder }) => {
      if (fact.type === 'limited') writeFileSync(join(dirname(folder), 'scenario.json'), JSON.stringify({ sessions }))
    },
  )
  expect(found).toEqual({
    ...ALL_DONE,
    told: ['limited', 'waited', '1/1 TASK_COMPLETE', 'verified green', 'merged'],
    landed: ['evil/1/1', 'next/1/1'],
  })
})

it('a login that is missing stops the build at once, with its sentence', async () => {
  const sentence = "you are not logged in; run 'agent login'"
  const found = await played({ parts: [{ steps: [{ fail: { kind: 'auth', sentence } }] }] })
  expect(found).toEqual({
    end: { reason: 'Failed', detail: sentence },
    told: ['interrupted'],
    broken: [],
    landed: [],
    state: 'failed',
    tasks: ['evil open null 0', 'next open null 0'],
  })
})
