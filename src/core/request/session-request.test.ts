import { expect, it } from 'vitest'
import { refused } from '../../../test/arbitraries/refusal.ts'
import { readSessionRequest, REQUEST_NAMES } from './session-request.ts'

const whole = [
  { do: 'peek', limit: 10 },
  { do: 'claim', id: null, leaseSeconds: 600 },
  { do: 'claim', id: 'a/1', leaseSeconds: 0 },
  { do: 'renew', id: 'a/1', leaseSeconds: 60 },
  { do: 'done', id: 'a/1', result: null },
  { do: 'done', id: 'a/1', result: { commit: 'abc', note: [1] } },
  { do: 'fail', id: 'a/1', reason: null },
  { do: 'fail', id: 'a/1', reason: 'no such API' },
  { do: 'create', id: 'a/2', text: { title: 'Two' }, deps: [] },
  {
    do: 'create',
    id: 'a/2',
    text: {
      title: 'Two',
      description: 'More',
      priority: 0,
      category: null,
      spec: 's',
      ref: null,
      steps: ['one'],
      type: 'docs',
      acceptance: ['it is there'],
      filesExpected: ['README.md'],
    },
    deps: ['a/1'],
  },
  { do: 'show', id: 'a/1' },
  { do: 'list', statuses: null, assignee: null },
  { do: 'list', statuses: ['open', 'active'], assignee: 'f00d' },
  { do: 'planStatus' },
  { do: 'buildStatus' },
  { do: 'scratchpad', done: 'x', testStatus: '', nextStep: 'y', blockers: 'none' },
  { do: 'signal', signal: 'TASK_STUCK', reason: 'because' },
  { do: 'signal', signal: 'TASK_COMPLETE', reason: null },
  { do: 'refused', command: 'ralph task agent register' },
  { do: 'refused', command: 'ralph.transition' },
  { do: 'applyPatch', edit: { diff: '--- a/x' } },
  { do: 'applyPatch', edit: { files: [{ path: 'x', content: '' }] } },
  { do: 'runChecks' },
]

it('reads every request as it was said, and nothing beside it', () => {
  const said = whole.map((request) => ({ ...request, accept: true }))
  expect(JSON.parse(JSON.stringify(said)).map(readSessionRequest)).toEqual(whole)
  expect(new Set(whole.map((request) => request.do))).toEqual(new Set(REQUEST_NAMES))
})

const names =
  'peek, claim, renew, done, fail, create, show, list, planStatus, buildStatus, scratchpad, signal, refused, applyPatch, runChecks'
const faults: readonly (readonly [request: unknown, problem: string | RegExp])[] = [
  [null, 'a request is a JSON object'],
  [[], 'a request is a JSON object'],
  ['peek', 'a request is a JSON object'],
  [{}, `'do' must be one of ${names}`],
  [{ do: 'update', id: 'a' }, `'do' must be one of ${names}`],
  [{ do: 'toString' }, `'do' must be one of ${names}`],
  [{ do: 'applyPatch' }, "'edit' must be an object with 'diff' or 'files'"],
  [{ do: 'applyPatch', edit: {} }, "'diff' must be a text"],
  [{ do: 'applyPatch', edit: { files: ['x'] } }, "a file must be an object with 'path' and 'content'"],
  [{ do: 'applyPatch', edit: { files: [{ path: 'x' }] } }, "'content' must be a text"],
  [{ do: 'refused', command: 'ralph skip two\n10:00 approved' }, "'command' must be a command of ralph"],
  [{ do: 'refused', command: `ralph ${'x'.repeat(99)}` }, "'command' must be a command of ralph"],
  [{ do: 'peek' }, "'limit' must be a whole number, 0 or more"],
  [{ do: 'peek', limit: 1.5 }, "'limit' must be a whole number, 0 or more"],
  [{ do: 'claim', leaseSeconds: 1 }, "'id' must be a text"],
  [{ do: 'claim', id: null, leaseSeconds: -1 }, "'leaseSeconds' must be a whole number, 0 or more"],
  [{ do: 'fail', id: 'a', reason: 3 }, "'reason' must be a text"],
  [{ do: 'create', id: 'a', deps: [] }, "'text' must be an object with a 'title'"],
  [{ do: 'create', id: 'a', text: {}, deps: [] }, "'title' must be a text"],
  [{ do: 'create', id: 'a', text: { title: 'A', status: 'done' }, deps: [] }, "a task has no field 'status'"],
  [{ do: 'create', id: 'a', text: { title: 'A', constructor: 1 }, deps: [] }, "a task has no field 'constructor'"],
  [{ do: 'create', id: 'a', text: { title: 'A', steps: 'x' }, deps: [] }, "'steps' must be a list of texts"],
  [{ do: 'create', id: 'a', text: { title: 'A' }, deps: [1] }, "'deps' must be a list of texts"],
  [{ do: 'list', statuses: ['ready'], assignee: null }, /^'status' must be one of open, active/],
  [{ do: 'signal', signal: 'RALPH_DONE', reason: null }, /^'signal' must be one of TASK_STUCK/],
  [{ do: 'scratchpad', done: 'x', testStatus: 'y', nextStep: 'z' }, "'blockers' must be a text"],
]

it.each(faults)('refuses %j', (request, problem) => {
  const [code, sentence] = refused(() => readSessionRequest(request)) ?? []
  expect(code).toBe('REQUEST_BAD')
  const told = sentence?.replace(/^the request cannot be read: /, '')
  if (typeof problem === 'string') expect(told).toBe(problem)
  else expect(told).toMatch(problem)
})

it.each([
  [{ do: 'show', id: '' }, 'TASK_ID_MISSING'],
  [{ do: 'show', id: 'a b' }, 'TASK_ID_BAD'],
  [{ do: 'done', id: 'a', result: 'abc' }, 'RESULT_BAD'],
  [{ do: 'done', id: 'a', result: {} }, 'RESULT_WITHOUT_COMMIT'],
])('refuses %j as the command line does', (request, code) => {
  expect(refused(() => readSessionRequest(request))?.[0]).toBe(code)
})
