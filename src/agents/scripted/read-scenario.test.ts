import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../trial.conformance.ts'
import { parseScenario, readScenario } from './read-scenario.ts'

function withStep(step: unknown): string {
  return JSON.stringify({ sessions: [{ steps: [{ say: 'x' }, step] }] })
}

describe('a scenario', () => {
  it('is read: what is left out, and *, fits any session', () => {
    const steps = [{ say: 'hi' }]
    const json = JSON.stringify({
      sessions: [
        { role: 'reviewer', task: 't1', attempt: 2, iteration: 0, steps },
        { role: '*', task: '*', attempt: '*', iteration: '*', steps },
        { steps: [] },
      ],
    })
    const any = { role: null, task: null, attempt: null, iteration: null }
    expect(parseScenario(json)).toEqual({
      scenario: {
        parts: [
          { role: 'reviewer', task: 't1', attempt: 2, iteration: 0, steps },
          { ...any, steps },
          { ...any, steps: [] },
        ],
      },
    })
  })

  it.each([
    { write: { path: 'a/b', content: '' } },
    { append: { path: '.x', content: 'y' } },
    { delete: 'a' },
    { run: 'ls | wc' },
    { run: ['ls', '-l'] },
    { commit: { message: 'm' } },
    { scratchpad: { done: '', testStatus: '', nextStep: '', blockers: '' } },
    { savePrompt: 'p' },
    { writeOutside: { path: '../x', content: '' } },
    { deleteFolder: {} },
    { leaveChild: { holdOutput: true, ignoreSigterm: false } },
    { say: '' },
    { answer: { decision: 'approve' } },
    { answerText: 'x' },
    { signal: { kind: 'TASK_STUCK', reason: 'r' } },
    { signal: { kind: 'TASK_COMPLETE' } },
    { usage: { inputTokens: 1, outputTokens: 0, costUsd: null } },
    { usage: { inputTokens: 1, outputTokens: 0 } },
    { sleep: 5 },
    { hang: { ignoreSigterm: true } },
    { linger: {} },
    { crash: { code: 3 } },
    { crash: { signal: 'SIGSEGV' } },
    { fail: { kind: 'rateLimit', sentence: 's', untilInSeconds: 1.5 } },
    { flood: { bytes: 10, as: 'oneLine' } },
    { badUtf8: {} },
    { tornJson: {} },
  ])('takes the step %j', (step) => {
    expect(parseScenario(withStep(step))).toMatchObject({ scenario: { parts: [{ steps: [{ say: 'x' }, step] }] } })
  })

  const path = "must be a path inside the session's folder; only writeOutside may leave it"
  it.each<[unknown, string]>([
    [{ write: { path: '../x', content: '' } }, `.write.path ${path}`],
    [{ write: { path: 'a/../../x', content: '' } }, `.write.path ${path}`],
    [{ write: { path: '/x', content: '' } }, `.write.path ${path}`],
    [{ delete: '' }, `.delete ${path}`],
    [{ write: { path: 'x' } }, '.write lacks the field content'],
    [{ write: { path: 'x', content: 1 } }, '.write.content must be a text'],
    [{ write: 'x' }, '.write must be an object'],
    [{ hang: { forEver: true } }, '.hang has an unknown field "forEver", known are ignoreSigterm'],
    [{ badUtf8: { x: 1 } }, '.badUtf8 has an unknown field "x", it has none'],
    [{ run: 5 }, '.run must be a text'],
    [{ sleep: -1 }, '.sleep must be a whole number from 0 to 86400000 (ms)'],
    [
      { usage: { inputTokens: 1, outputTokens: 1, costUsd: -1 } },
      '.usage.costUsd must be a number from 0 to 1000000 (US dollars)',
    ],
    [{ leaveChild: { holdOutput: 1 } }, '.leaveChild.holdOutput must be true or false'],
    [{ answer: [] }, '.answer must be an object'],
    [
      { signal: { kind: 'DONE' } },
      '.signal.kind must be one of TASK_STUCK, CHECK_WRONG, ITERATION_DONE, TASK_COMPLETE',
    ],
    [{ crash: { code: 1, signal: 'SIGKILL' } }, '.crash must be an object with one of the fields code, signal'],
    [{ crash: { code: 256 } }, '.crash.code must be a whole number from 0 to 255 (exit code)'],
  ])('refuses the step %j', (step, problem) => {
    expect(parseScenario(withStep(step))).toEqual({ problem: `scenario.sessions[0].steps[1]${problem}` })
  })

  it.each<[string, RegExp]>([
    ['{', /^it is not JSON: /],
    ['[]', /^scenario must be an object$/],
    ['{}', /^scenario lacks the field sessions$/],
    ['{"sessions": {}}', /^scenario\.sessions must be a list$/],
    ['{"sessions": [{}]}', /^scenario\.sessions\[0\] lacks the field steps$/],
    ['{"sessions": [], "x": 1}', /^scenario has an unknown field "x", known are sessions$/],
    ['{"sessions": [{"steps": [], "role": "boss"}]}', /\.role must be one of planner, implementer, reviewer, sia$/],
    ['{"sessions": [{"steps": [], "attempt": "1"}]}', /\.attempt must be a whole number from 0/],
    [
      '{"sessions": [{"steps": [{}]}]}',
      /steps\[0\] must be an object with one of the fields write, append, delete, run/,
    ],
    ['{"sessions": [{"steps": [{"say": "a", "sleep": 1}]}]}', /steps\[0\] must be an object with one of the fields/],
    ['{"sessions": [{"steps": [{"toString": "a"}]}]}', /steps\[0\] must be an object with one of the fields/],
    [
      `{"sessions": [{"steps": [${'{"say":"x"},'.repeat(1000)}{"say":"x"}]}]}`,
      /steps has 1001 items, the most is 1000$/,
    ],
  ])('refuses %j', (json, problem) => {
    expect(parseScenario(json)).toEqual({ problem: expect.stringMatching(problem) })
  })

  it('is documented: the example is taken, and every step is listed', async () => {
    const guide = await readFile(join(import.meta.dirname, '../../../docs/guide/agents.md'), 'utf8')
    const [, example = ''] = /^```json\n([\s\S]*?)\n```$/m.exec(guide) ?? []
    expect(parseScenario(example)).toHaveProperty('scenario.parts.length', 4)
    const reading = parseScenario(withStep({}))
    const known = 'problem' in reading ? (reading.problem.split('the fields ')[1] ?? '').split(', ') : []
    expect(known).toContain('deleteFolder')
    expect(known.filter((name) => !guide.includes(`| \`${name}\``) && !guide.includes(`, \`${name}\` |`))).toEqual([])
  })

  it('is refused with the name of its file', async () => {
    const folder = await tempFolder()
    const file = join(folder, 's.json')
    await writeFile(file, '[]')
    expect(await readScenario(file)).toEqual({ problem: `${file}: scenario must be an object` })
    await writeFile(file, Buffer.alloc(5_000_000, ' '))
    expect(await readScenario(file)).toEqual({ problem: `${file} has 5000000 bytes, the most is 4194304` })
    const missing = join(folder, 'missing.json')
    expect(await readScenario(missing)).toEqual({
      problem: `the scenario ${missing} cannot be read (ENOENT); correct agent.scripted.scenario`,
    })
  })
})
