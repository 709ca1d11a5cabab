import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readBuildGraph } from '../core/plan/build-graph.ts'
import { taskId } from '../core/values/id.ts'
import { readPatchAnswer } from '../core/patch/patch-answer.ts'
import { readReview } from '../core/attempt/review.ts'
import { FIRST_ITERATION, parseScratchpad } from '../core/session/scratchpad.ts'
import { readIntervention } from '../core/role-answers/sia.ts'
import { SIGNALS } from '../core/session/signal.ts'
import { TASK_TYPES } from '../core/task/task.ts'
import { embedded, PROMPT_NAMES, type PromptName } from './embedded.ts'
import { openPrompts, TEMPLATE_BYTES_MAX } from './prompts.ts'
import { placesIn } from './template.ts'

const task = 'ID: add-sum\nTitle: Add sum()\nAcceptance criteria:\n- sum(1, 2) is 3'
const checks = '- unit: npm test'

const values: Readonly<Record<PromptName, Readonly<Record<string, string>>>> = {
  build: {
    task,
    iteration: '2/10',
    attempt: '1',
    scratchpad: FIRST_ITERATION,
    scratchpad_file: '.ralph-scratchpad.md',
    feedback: '- the check unit is red: expected 3, got {{task}}',
    answers: 'None.',
    attempts: 'None.',
    lessons: 'None yet.',
    checks,
  },
  patch: {
    task,
    iteration: '2/10',
    attempt: '1',
    scratchpad: FIRST_ITERATION,
    feedback: 'Nothing so far.',
    answers: 'None.',
    attempts: '- attempt 1, iteration 1: the patch was not applied: it changes 7 files',
    lessons: 'None yet.',
    checks,
    listing: 'package.json\nsum.js',
    snippets: '<file path="sum.js">\nexport const sum = 1\n</file>',
    limit: '5',
    protected: 'ralph.toml, .github/**',
  },
  review: {
    task,
    diff: '--- a/sum.js\n+++ b/sum.js\n@@ -0,0 +1 @@\n+$& ```',
    findings: 'None.',
    second_opinion: 'Not needed.',
    strength: 'proved: 2 tests fail without this change',
    checks,
  },
  objection: { task, objection: 'the test expects 4' },
  sia: {
    task,
    problem: '3 attempts have failed',
    feedback: 'expected 3, got 4',
    attempts: '3',
    techniques: 'tool_change, fresh_start',
    tried: 'decomposition',
    agents: 'claude now; also codex',
    failures: '- attempt 2, session 1: claude was killed by signal 9 (SIGKILL; out of memory?)',
    interventions: '1 of 3',
    splitting: 'into 2 to 15 parts',
  },
  plan: {
    goal: 'A calculator.',
    project: 'It has files.',
    checks,
    existing: '- add-sum (done): Add sum()',
    limit: '15',
    files: '5',
  },
  repair: { prompt: 'Answer in JSON: {{task}}', problem: 'the message is not one JSON object' },
  claim: { snapshot: '## Task add-sum\nid: add-sum\ntitle: Add sum()\npriority: 2\nstatus: open' },
}

async function madeFolder(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ralph-prompts-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return folder
}

/** The fenced JSON of a template. */
function jsonIn(name: PromptName): string[] {
  return [...embedded[name].template.matchAll(/^```json\n(.*)\n```$/gm)].map(([, json = '']) => json)
}

describe('the embedded prompts', () => {
  it.each(PROMPT_NAMES)('%s is filled like its golden file', async (name) => {
    const { fill } = await openPrompts({ overrideFolder: null })
    await expect(await fill(name, values[name])).toMatchFileSnapshot(`golden/${name}.md`)
  })

  it.each(PROMPT_NAMES)('%s has every place that the engine fills', (name) => {
    const { template, required, optional } = embedded[name]
    expect(placesIn(template).toSorted()).toEqual([...required, ...optional].toSorted())
  })

  it('build shows the scratchpad and the signals as they are read', () => {
    const { template } = embedded.build
    const [, example = ''] = /^```markdown\n([\s\S]*?)\n```$/m.exec(template) ?? []
    expect(parseScratchpad(example)).toEqual({
      iteration: null,
      done: 'What you changed.',
      testStatus: 'What passed and what failed, with the lines that matter.',
      nextStep: 'What the next iteration should do first.',
      blockers: 'What is in the way, or "none".',
    })
    expect(SIGNALS.filter((signal) => !template.includes(`- \`${signal}`))).toEqual([])
  })

  it('patch shows answers that are taken, and the signals', () => {
    const answers = jsonIn('patch').map((json) => readPatchAnswer(json, 't1'))
    expect(answers).toMatchObject([
      { ok: true, value: { edit: { files: [{ path: 'src/sum.js' }] }, signal: { kind: 'ITERATION_DONE' } } },
      { ok: true, value: { edit: { diff: expect.any(String) }, signal: { kind: 'TASK_COMPLETE' } } },
    ])
    expect(SIGNALS.filter((signal) => !embedded.patch.template.includes(`- \`${signal}`))).toEqual([])
  })

  it('review and objection show answers that are taken', () => {
    for (const name of ['review', 'objection'] as const) {
      const decisions = jsonIn(name).map((json) => readReview(json))
      expect(decisions).toMatchObject([
        { ok: true, value: { decision: 'approve' } },
        { ok: true, value: { decision: 'request_changes' } },
      ])
    }
  })

  it('sia shows answers that are taken', () => {
    const answers = jsonIn('sia').map((json) =>
      readIntervention(json, taskId('t1'), [], new Set(), { now: 'claude', agents: ['claude', 'NAME'] }),
    )
    expect(answers).toMatchObject([
      { ok: true, value: { type: 'fixed' } },
      { ok: true, value: { type: 'fixed', worker: { agent: 'NAME', model: null } } },
      { ok: true, value: { type: 'decomposed', subtasks: [{ id: 't1.1' }, { id: 't1.2' }] } },
      { ok: true, value: { type: 'escalate' } },
    ])
  })

  it('plan shows a plan that is taken, with every field', () => {
    const [json = ''] = jsonIn('plan')
    expect(readBuildGraph(json, { tasksMax: 1, known: new Set() })).toMatchObject({ ok: true })
    const { tasks } = JSON.parse(json) as { tasks: object[] }
    const names = ['id', 'title', 'goal', 'acceptance', 'depends_on', 'files_expected', 'status', 'type', 'examples']
    expect(tasks.map((one) => Object.keys(one))).toEqual([names])
    expect(TASK_TYPES.filter((type) => !embedded.plan.template.includes(type))).toEqual([])
  })
})

describe('a prompt of the user', () => {
  it('comes before the embedded one, and only that one', async () => {
    const overrideFolder = await madeFolder({ 'PROMPT_plan.md': 'Plan {{ goal }}, \\{{goal}}.', 'README.md': '{{x}}' })
    const { fill } = await openPrompts({ overrideFolder })
    expect(await fill('plan', { ...values.plan, goal: 'a $& {{limit}}' })).toBe('Plan a $& {{limit}}, {{goal}}.')
    expect(await fill('repair', values.repair)).toContain(values.repair['problem'])
  })

  it('is frozen when the prompts are opened', async () => {
    const overrideFolder = await madeFolder({ 'PROMPT_plan.md': 'one {{goal}}' })
    const { fill } = await openPrompts({ overrideFolder })
    await writeFile(join(overrideFolder, 'PROMPT_plan.md'), 'two {{goal}}')
    expect(await fill('plan', values.plan)).toBe('one A calculator.')
  })

  it('need not be there', async () => {
    const { fill } = await openPrompts({ overrideFolder: '/nonexistent/prompts' })
    expect(await fill('plan', values.plan)).toContain('A calculator.')
  })

  it.each<[string, string | Uint8Array, string]>([
    [
      'PROMPT_plan.md',
      '{{goal}} {{gaol}}',
      'nothing fills {{gaol}}; known are {{goal}}, {{project}}, {{checks}}, {{existing}}, {{limit}}, {{files}}, and \\{{ is a plain {{',
    ],
    ['PROMPT_plan.md', 'Plan!', 'it lacks {{goal}}; add it'],
    ['PROMPT_plan.md', '', 'it lacks {{goal}}; add it'],
    ['PROMPT_build.md', '{{task}} {{scratchpad}} {{feedback}}', 'it lacks {{answers}}; add it'],
    ['PROMPT_plan.md', Buffer.from([0x7b, 0xff]), 'it is not valid UTF-8; save it as UTF-8'],
    [
      'PROMPT_plan.md',
      Buffer.alloc(TEMPLATE_BYTES_MAX + 1, 'x'),
      'it has 262145 bytes, the most is 262144; shorten it',
    ],
    [
      'PROMPT_bild.md',
      '{{task}}',
      'no prompt has this name; known are PROMPT_build.md, PROMPT_patch.md, PROMPT_review.md, PROMPT_objection.md, PROMPT_sia.md, PROMPT_plan.md, PROMPT_repair.md, PROMPT_claim.md',
    ],
  ])('%s is refused: %#', async (file, content, problem) => {
    const overrideFolder = await madeFolder({ [file]: content })
    const opened = openPrompts({ overrideFolder })
    await expect(opened).rejects.toMatchObject({
      code: 'PROMPT_BAD',
      message: `${join(overrideFolder, file)}: ${problem}`,
    })
  })

  it('that is a folder is refused', async () => {
    const overrideFolder = await madeFolder({})
    await mkdir(join(overrideFolder, 'PROMPT_plan.md'))
    await expect(openPrompts({ overrideFolder })).rejects.toMatchObject({ code: 'FILE_UNREADABLE' })
  })
})

describe('filling', () => {
  it.each<[string, Record<string, string>]>([
    ['without a value', { goal: 'x' }],
    ['with one that no prompt has', { ...values.plan, more: 'y' }],
  ])('%s is a mistake of ours', async (_, some) => {
    const { fill } = await openPrompts({ overrideFolder: null })
    await expect(fill('plan', some)).rejects.toMatchObject({ code: 'INTERNAL' })
  })
})
