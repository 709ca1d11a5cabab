import { describe, expect, it } from 'vitest'
import { readSessionName, sessionName, subjectOfSession, transcriptName } from './session-name.ts'

describe('the name of a session', () => {
  it.for<[name: string, is: object, subject: string, transcript: string]>([
    [
      'b_1.login.2.1',
      { of: 'task', build: 'b_1', task: 'login', attempt: 2, iteration: 1, role: 'implementer' },
      'b_1',
      'b_1/login/2-1-implementer',
    ],
    [
      'b_1.v1.2.10.0.sia',
      { of: 'task', build: 'b_1', task: 'v1.2', attempt: 10, iteration: 0, role: 'sia' },
      'b_1',
      'b_1/v1.2/10-0-sia',
    ],
    [
      'b_1.a.1.1.reviewer',
      { of: 'task', build: 'b_1', task: 'a', attempt: 1, iteration: 1, role: 'reviewer' },
      'b_1',
      'b_1/a/1-1-reviewer',
    ],
    // A task may have the name of a role.
    [
      'b_1.x.reviewer.1.1',
      { of: 'task', build: 'b_1', task: 'x.reviewer', attempt: 1, iteration: 1, role: 'implementer' },
      'b_1',
      'b_1/x.reviewer/1-1-implementer',
    ],
    ['b_1.1.2.planner', { of: 'build', build: 'b_1', attempt: 1, iteration: 2 }, 'b_1', 'b_1/1-2-planner'],
    [
      'my.shop.1700000000000.1.2.planner',
      { of: 'idea', idea: 'my.shop', since: 1_700_000_000_000, attempt: 1, iteration: 2 },
      'my.shop',
      'plan_my.shop/1700000000000/1-2-planner',
    ],
  ])('%s', ([name, is, subject, transcript]) => {
    const read = readSessionName(name)
    expect(read).toEqual(is)
    expect(read === null ? null : [sessionName(read), transcriptName(read)]).toEqual([name, transcript])
    expect(subjectOfSession(name)).toBe(subject)
  })

  it.for([
    '',
    'b_1',
    'b_1.a',
    'b_1.a.1.',
    'b_1.a.01.1',
    'b_1.a.1.1.planner',
    'b_1.a.1.1.clerk',
    'shop.1.1',
    'i_1.1.planner',
  ])("'%s' is none", (name) => expect(readSessionName(name)).toBe(null))
})
