import { describe, expect, it } from 'vitest'
import { taskId } from '../values/id.ts'
import { readIntervention, type Technique } from '../role-answers/sia.ts'

const login = taskId('login')
const crew = { now: 'claude', agents: ['claude', 'codex'] }
const read = (answer: unknown, tried: Technique[] = []) =>
  readIntervention(JSON.stringify(answer), login, tried, new Set([taskId('login.3')]), crew)

describe('readIntervention', () => {
  it.each([
    [
      'a rewritten task',
      {
        type: 'fixed',
        technique: 'example_injection',
        modified_task: { title: 'Add  login', goal: 'g', acceptance: ['a'] },
      },
      {
        type: 'fixed',
        technique: 'example_injection',
        task: { title: 'Add login', description: 'g', acceptance: ['a'] },
      },
    ],
    [
      'another agent',
      { type: 'fixed', technique: 'tool_change', agent: 'codex' },
      { type: 'fixed', technique: 'tool_change', task: {}, worker: { agent: 'codex', model: null } },
    ],
    [
      'another model, and another goal',
      { type: 'fixed', technique: 'tool_change', modified_task: { goal: 'g' }, agent: null, model: 'opus' },
      {
        type: 'fixed',
        technique: 'tool_change',
        task: { description: 'g' },
        worker: { agent: 'claude', model: 'opus' },
      },
    ],
    [
      'parts, in their order',
      {
        type: 'decomposed',
        technique: 'decomposition',
        subtasks: [{ title: 'One' }, { title: 'Two', files_expected: ['x'] }],
      },
      {
        type: 'decomposed',
        technique: 'decomposition',
        subtasks: [
          { id: 'login.1', text: { title: 'One' }, deps: [] },
          { id: 'login.2', text: { title: 'Two', filesExpected: ['x'] }, deps: ['login.1'] },
        ],
      },
    ],
    [
      'parts, whose ids nobody has',
      { type: 'decomposed', technique: 'decomposition', subtasks: [{ title: 'A' }, { title: 'B' }, { title: 'C' }] },
      {
        type: 'decomposed',
        technique: 'decomposition',
        subtasks: [
          { id: 'login.1', text: { title: 'A' }, deps: [] },
          { id: 'login.2', text: { title: 'B' }, deps: ['login.1'] },
          { id: 'login.4', text: { title: 'C' }, deps: ['login.2'] },
        ],
      },
    ],
    ['a call for a human', { type: 'escalate', reason: 'no access' }, { type: 'escalate', reason: 'no access' }],
  ])('reads %s', (_, answer, value) => {
    expect(read(answer)).toEqual({ ok: true, value })
  })

  it.each([
    [
      'a technique that was tried',
      { type: 'fixed', technique: 'tool_change', modified_task: { title: 'x' } },
      /not tried/,
    ],
    ['an unknown technique', { type: 'fixed', technique: 'pray', modified_task: { title: 'x' } }, /not tried/],
    ['an unknown type', { type: 'solved' }, /'type' must be/],
    ['one part', { type: 'decomposed', technique: 'decomposition', subtasks: [{ title: 'x' }] }, /2 to 15/],
    [
      'a part without title',
      { type: 'decomposed', technique: 'decomposition', subtasks: [{ goal: 'x' }, { title: 'y' }] },
      /subtask 1: 'title' is missing/,
    ],
    ['an empty task', { type: 'fixed', technique: 'fresh_start', modified_task: {} }, /says nothing/],
    ['no reason', { type: 'escalate' }, /'reason'/],
    [
      'an agent without a change of tools',
      { type: 'fixed', technique: 'fresh_start', agent: 'codex' },
      /tool_change only/,
    ],
  ])('refuses %s', (_, answer, problem) => {
    const result = read(answer, ['tool_change'])
    expect(result).toEqual({ ok: false, problem: expect.stringMatching(problem) })
  })

  it.each([
    [{ partsMax: 2 }, "'subtasks' must be a list of 2 to 2 tasks"],
    [{ refused: 'it is a part of a part' }, 'the task cannot be split: it is a part of a part'],
  ])('refuses more parts than the family may still have: %j', (splitting, problem) => {
    const subtasks = ['A', 'B', 'C'].map((title) => ({ title }))
    const message = JSON.stringify({ type: 'decomposed', technique: 'decomposition', subtasks })
    expect(readIntervention(message, login, [], new Set(), crew, splitting)).toEqual({ ok: false, problem })
  })

  it.each([
    [
      'an agent that the build does not have',
      { agent: 'gemini' },
      "'agent' must be one that this build has: claude, codex",
    ],
    ['an agent that is no name', { agent: 7 }, "'agent' must be one that this build has: claude, codex"],
    [
      'a model that is none',
      { model: '--yolo' },
      "'model' must be the name of a model, of at most 100 characters without spaces",
    ],
    ['a task that is none', { agent: 'codex', modified_task: 'x' }, 'a task must be an object'],
  ])('refuses %s', (_, change, problem) => {
    expect(read({ type: 'fixed', technique: 'tool_change', ...change })).toEqual({ ok: false, problem })
  })
})
