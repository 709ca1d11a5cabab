import { describe, expect, it } from 'vitest'
import { readReview, reviewByRule } from './review.ts'

const fenced = (json: string) => `Here it is:\n\`\`\`json\n${json}\n\`\`\`\n`

describe('readReview', () => {
  const approve = { decision: 'approve', reasons: ['fine'], required_fixes: [] }
  const read = { ok: true, value: { decision: 'approve', reasons: ['fine'], requiredFixes: [] } }

  it.each([
    ['bare JSON', JSON.stringify(approve), read],
    ['one fenced block', fenced(JSON.stringify(approve)), read],
    [
      'lists left out',
      '{"decision":"approve"}',
      { ok: true, value: { decision: 'approve', reasons: [], requiredFixes: [] } },
    ],
    [
      'changes asked for',
      '{"decision":"request_changes","required_fixes":["name it"]}',
      { ok: true, value: { decision: 'request_changes', reasons: [], requiredFixes: ['name it'] } },
    ],
  ])('reads %s', (_, message, expected) => {
    expect(readReview(message)).toEqual(expected)
  })

  it.each([
    ['prose', 'I approve this.', 'the message is not one JSON object'],
    ['JSON in prose', 'I think {"decision":"approve"} is right', 'the message is not one JSON object'],
    [
      'two blocks',
      fenced('{"decision":"approve"}') + fenced('{"decision":"approve"}'),
      'the message holds more than one fenced block; answer with one JSON object',
    ],
    ['a list', '["approve"]', 'the answer must be a JSON object'],
    ['another word', '{"decision":"approved"}', "'decision' must be approve or request_changes"],
    [
      'no fixes',
      '{"decision":"request_changes"}',
      "'required_fixes' must say what to change when 'decision' is request_changes",
    ],
    [
      'a text for a list',
      '{"decision":"approve","reasons":"fine"}',
      "'reasons' and 'required_fixes' must be lists of strings",
    ],
    ['torn JSON', '{"decision":"appr', 'the message is not one JSON object'],
    ['nothing', '', 'the message is not one JSON object'],
  ])('refuses %s', (_, message, problem) => {
    expect(readReview(message)).toEqual({ ok: false, problem })
  })
})

describe('reviewByRule', () => {
  it('approves green and refuses everything else', () => {
    expect(reviewByRule({ is: 'green' }).decision).toBe('approve')
    expect(reviewByRule({ is: 'red', error: 'unit failed' })).toEqual({
      decision: 'request_changes',
      reasons: ['the checks are not green'],
      requiredFixes: ['unit failed'],
    })
    expect(reviewByRule({ is: 'unverified', error: 'no tests', mendedBy: 'agent' }).decision).toBe('request_changes')
  })
})
