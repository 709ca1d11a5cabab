// Answers that are none, limits, and logins that are missing.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import type { Fact } from '../../src/core/fact/fact.ts'
import { findingText } from '../../src/core/fact/finding.ts'
import { taskId } from '../../src/core/values/id.ts'
import { audit, brokenLaws } from '../crash/build-audit.ts'
import { bundledBuild, killableProject, type KillableProject } from '../rig/build-process.ts'
import { factLines } from './output-lines.ts'

const program = await bundledBuild()

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
  readonly script: readonly object[]
  readonly toml?: string
}

async function played({ script, toml = CHECK }: Cast, heard: (fact: Fact, stage: KillableProject) => void = () => {}) {
  const stage = await killableProject(program, {
    tasks: ['evil', 'next'].map((id) => ({ id, title: `Task ${id}` })),
    script: [...script.map((part) => ({ task: 'evil', role: 'implementer', ...part })), next],
    toml,
  })
  try {
    const { end, facts } = await stage.run({}, (fact) => heard(fact, stage)).life
    const found = await audit(stage)
    const landed = found.landed.map(({ attempt }) => attempt)
    const kept = await stage.context.store.builds.attachments(stage.build.id, 'evidence', taskId('evil'))
    const sealed = kept.find(({ evidence }) => evidence.cleared !== null)?.evidence
    const branch = `ralph/${stage.build.id}`
    const names = stage.engineGit('ls-tree', '-r', '--name-only', branch).split('\n')
    return {
      end,
      factLines: facts.flatMap(factLines),
      broken: brokenLaws(found),
      landed,
      tasks: found.tasks,
      state: found.state,
      files: names.map((name) => `${name} ${stage.engineGit('show', `${branch}:${name}`).match(/good/)?.[0]}`),
      findings: [sealed?.findings.map(findingText), sealed?.cleared],
      changed: kept[0]?.evidence.changed,
    }
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
    script: [
      { attempt: 1, steps: [stuck] },
      { attempt: 2, steps: [good, complete] },
      { role: 'sia', steps: [{ answer: fixed }] },
    ],
  })
  expect(found).toMatchObject({
    ...ALL_DONE,
    factLines: [
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
  const found = await played({ script: [{ steps: [stuck] }, { role: 'sia', steps: [garbage] }] })
  expect(found).toMatchObject({
    end: { reason: 'HumanNeeded', detail: null },
    factLines: [
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
  const { factLines: said, landed } = await played({ script: [{ steps: [] }, { role: 'sia', steps: [garbage] }] })
  expect([said.slice(0, 5), landed]).toEqual([
    ['1/1 no signal', '1/2 no signal', '1/3 no signal', 'failed: the same tree 3 times in a row', 'sia: escalate'],
    ['next/1/1'],
  ])
})

it('garbage from the reviewer, twice, fails the attempt', async () => {
  const found = await played({
    script: [
      { steps: [good, complete] },
      { role: 'reviewer', attempt: 1, steps: [garbage] },
      { role: 'reviewer', steps: [{ answer: { decision: 'approve', reasons: [], required_fixes: [] } }] },
      { task: 'next', role: 'reviewer', steps: [{ answer: { decision: 'approve', reasons: [], required_fixes: [] } }] },
    ],
    toml: `[review]\nwhen = "always"\n${CHECK}`,
  })
  expect(found).toMatchObject({
    ...ALL_DONE,
    factLines: [
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

const approve = { answer: { decision: 'approve', reasons: ['fine'], required_fixes: [] } }
const mine = { write: { path: 'evil.txt', content: 'mine\n' } }

it.each([
  ['edits a file', mine, 'evil.txt'],
  ['deletes a file', { delete: 'start.txt' }, 'start.txt'],
  ['adds a file', { write: { path: 'new/file.txt', content: 'good\n' } }, 'new/file.txt'],
  [
    'adds a file that git does not look at',
    { run: 'mkdir -p n && echo x > n/a.txt && echo n > .git/info/exclude' },
    'n/a.txt',
  ],
  ['edits and commits', { run: 'echo mine > evil.txt && git add -A && git commit -qm mine' }, 'evil.txt'],
  ['deletes its folder', { deleteFolder: {} }, 'the folder itself'],
])('a reviewer that %s is not believed, and nothing of it is merged', async (_, act, path) => {
  const found = await played({
    script: [
      { steps: [good, complete] },
      { role: 'reviewer', attempt: 1, steps: [act, approve] },
      { role: 'reviewer', steps: [approve] },
      { task: 'next', role: 'reviewer', steps: [approve] },
    ],
    toml: `[review]\nwhen = "always"\n${CHECK}`,
  })
  expect({ factLines: found.factLines[2], landed: found.landed, broken: found.broken, files: found.files }).toEqual({
    factLines: `failed: review: the reviewer gave no usable answer: you changed ${path}; only read`,
    landed: ['evil/2/1', 'next/1/1'],
    broken: [],
    files: ['check.sh good', 'evil.txt good', 'next.txt good', 'start.txt good'],
  })
})

it('a reviewer of an objection that changes files is not believed', async () => {
  const found = await played({
    script: [
      { steps: [good, { signal: { kind: 'CHECK_WRONG', reason: 'it asks for good' } }] },
      { role: 'reviewer', steps: [mine, { answer: { ...approve.answer, reasons: ['yes, it is wrong'] } }] },
    ],
  })
  expect([found.end, found.factLines.at(-1)]).toEqual([
    { reason: 'HumanNeeded', detail: null },
    expect.stringMatching(
      /^human: the agent says that a check is wrong: .*\nReview: no reviewer gave a usable answer\n/,
    ),
  ])
})

it('SIA that changes files is not believed, and a human is asked', async () => {
  const fixed = { answer: { type: 'fixed', technique: 'fresh_start', modified_task: { title: 'Easier' } } }
  const found = await played({ script: [{ steps: [stuck] }, { role: 'sia', steps: [mine, fixed] }] })
  expect({ end: found.end, factLines: found.factLines.slice(2), landed: found.landed }).toEqual({
    end: { reason: 'HumanNeeded', detail: null },
    factLines: [
      'sia: escalate',
      'human: the goal is unclear (SIA gave no usable answer: you changed evil.txt; only read)',
    ],
    landed: ['next/1/1'],
  })
})

it('an implementer that touches a protected path needs somebody to clear it', async () => {
  const touches = [good, { write: { path: 'infra/main.txt', content: 'good\n' } }, complete]
  const reasons = ['the task is about infra']
  const refused = { answer: { decision: 'request_changes', reasons: ['not yours'], required_fixes: ['leave infra'] } }
  const found = await played({
    script: [
      { steps: touches },
      { role: 'reviewer', attempt: 1, steps: [refused] },
      { role: 'reviewer', attempt: 2, steps: [{ answer: { ...approve.answer, reasons } }] },
    ],
    toml: `[protect]\npaths = ["infra/**"]\n${CHECK}`,
  })
  expect([found.factLines, found.findings]).toEqual([
    [
      '1/1 TASK_COMPLETE',
      'verified green',
      'failed: review: not yours; leave infra',
      '2/1 TASK_COMPLETE',
      'verified green',
      'merged',
    ],
    [['infra/main.txt: a protected path was touched'], { by: 'reviewer scripted', reasons }],
  ])
})

it('what an implementer says that it changed is a claim; the patch is what it did change', async () => {
  const diff = '--- a/start.txt\n+++ b/start.txt\n@@ -1 +1 @@\n-good\n+better\n'
  const claim = { task_id: 'evil', diff, touched_files: ['start.txt'], notes: 'only start.txt' }
  const found = await played({
    script: [
      {
        steps: [
          good,
          { run: 'git add -A && git commit -qm "nothing to see" && git rm -q --cached evil.txt' },
          { answer: claim },
          complete,
        ],
      },
    ],
  })
  expect([found.factLines, found.changed]).toEqual([['1/1 TASK_COMPLETE', 'verified green', 'merged'], ['evil.txt']])
})

it('a rate limit is waited out and costs no attempt', async () => {
  const sessions = [{ task: 'evil', steps: [good, complete] }, next]
  const found = await played(
    { script: [{ steps: [{ fail: { kind: 'rateLimit', sentence: 'too many requests', untilInSeconds: 1 } }] }] },
    (fact, { folder }) => {
      if (fact.type === 'limited') writeFileSync(join(dirname(folder), 'scenario.json'), JSON.stringify({ sessions }))
    },
  )
  expect(found).toMatchObject({
    ...ALL_DONE,
    factLines: ['limited', 'waited', '1/1 TASK_COMPLETE', 'verified green', 'merged'],
    landed: ['evil/1/1', 'next/1/1'],
  })
})

it('a login that is missing stops the build at once, with its sentence', async () => {
  const sentence = "you are not logged in; run 'agent login'"
  const found = await played({ script: [{ steps: [{ fail: { kind: 'auth', sentence } }] }] })
  expect(found).toMatchObject({
    end: { reason: 'Failed', detail: sentence },
    factLines: ['interrupted'],
    broken: [],
    landed: [],
    state: 'failed',
    tasks: ['evil open null 0', 'next open null 0'],
  })
})
