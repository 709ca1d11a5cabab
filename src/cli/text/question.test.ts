import { expect, it } from 'vitest'
import { questionText } from './question.ts'

it('a question says what is asked, what went wrong, and every way out', () => {
  expect(questionText({ task: 'pay', title: 'Take payments', reason: 'is 2 % right?', lastError: 'unit failed' })).toBe(
    `Task pay waits for you: Take payments
  is 2 % right?

  What went wrong last:
  unit failed

  ralph open pay                        prints its folder: mend it there yourself, then
  ralph resolve pay -m 'what you did'   verifies your fix and merges it
  ralph answer pay -m 'what to know'    lets the agent try again, with your words
  ralph retry pay                       lets it try again as it is
  ralph skip pay                        leaves it undone
`,
  )
})

it('a long reason keeps its beginning and its end', () => {
  const reason = Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n')
  const lines = questionText({ task: "it's", title: 'x', reason, lastError: null }).split('\n').slice(1, 28)
  expect(lines.slice(5, 8)).toEqual([
    '  line 5',
    "  … 74 lines; 'ralph log --task 'it'\\''s' --full' has them",
    '  line 80',
  ])
  expect(lines.at(-1)).toBe('  line 99')
})

it('where the end is only a summary, what failed is shown', () => {
  const passed = (from: number) => Array.from({ length: 20 }, (_, at) => `ok ${from + at}`)
  const failed = ['not ok 21 - five', '  error: |-', '    99 !== 5', ...Array.from({ length: 9 }, () => '  at …')]
  const lastError = ['unit failed', ...passed(1), ...failed, ...passed(22), '1..41', '# fail 1'].join('\n')
  const lines = questionText({ task: 'pay', title: 'x', reason: 'why?', lastError }).split('\n').slice(1, -7)
  expect(lines).toEqual(
    [
      ...['why?', '', 'What went wrong last:', 'unit failed', 'ok 1', 'ok 2'],
      "… 17 lines; 'ralph log --task pay --full' has them",
      ...['ok 20', ...failed],
      '… 15 lines',
      ...['ok 37', 'ok 38', 'ok 39', 'ok 40', 'ok 41', '1..41', '# fail 1'],
    ].map((line) => `  ${line}`.trimEnd()),
  )
})

it('a reason cannot command the terminal', () => {
  const text = questionText({ task: 'a', title: '\u001B[2J', reason: '\u001B]0;x\u0007ok', lastError: null })
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
})
