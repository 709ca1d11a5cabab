import { describe, expect, it } from 'vitest'
import { readPatchAnswer } from './patch-answer.ts'

const DIFF = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'
const done = { kind: 'TASK_COMPLETE' }

describe('the answer of an agent that cannot write files', () => {
  it.each<[string, string, object]>([
    ['JSON with a diff', JSON.stringify({ diff: DIFF }), { edit: { diff: DIFF }, notes: '', signal: null }],
    [
      'JSON with all fields',
      JSON.stringify({
        task_id: 't1',
        diff: DIFF,
        touched_files: ['x'],
        notes: 'n',
        signal: 'TASK_STUCK',
        reason: 'why',
      }),
      { edit: { diff: DIFF }, notes: 'n', signal: { kind: 'TASK_STUCK', reason: 'why' } },
    ],
    [
      'JSON with files and what else a generator tells',
      JSON.stringify({ files: [{ path: 'x', content: 'b\n' }], endpoints: [], components: ['X'], commands: [] }),
      { edit: { files: [{ path: 'x', content: 'b\n' }] }, notes: '', signal: null },
    ],
    [
      'JSON and a signal on the last line',
      `${JSON.stringify({ diff: DIFF })}\n\n**TASK_COMPLETE**\n`,
      { edit: { diff: DIFF }, notes: '', signal: done },
    ],
    [
      'two signals: the more cautious',
      `${JSON.stringify({ diff: DIFF, signal: 'TASK_COMPLETE' })}\n\nITERATION_DONE`,
      { edit: { diff: DIFF }, notes: '', signal: { kind: 'ITERATION_DONE' } },
    ],
    [
      'a fenced diff with words around it',
      `I change x.\n\n\`\`\`diff\n${DIFF}\`\`\`\n\nTASK_COMPLETE`,
      { edit: { diff: DIFF }, notes: 'I change x.', signal: done },
    ],
    ['a bare diff', DIFF, { edit: { diff: DIFF }, notes: '', signal: null }],
    ['a bare diff and a signal', `${DIFF}\nTASK_COMPLETE`, { edit: { diff: `${DIFF}\n` }, notes: '', signal: done }],
    [
      'a bare diff whose last line looks like a signal',
      `${DIFF} TASK_COMPLETE`,
      { edit: { diff: `${DIFF} TASK_COMPLETE` }, notes: '', signal: null },
    ],
    [
      'no patch, but a reason',
      'I cannot.\n\nTASK_STUCK: no idea',
      { edit: null, notes: 'I cannot.', signal: { kind: 'TASK_STUCK', reason: 'no idea' } },
    ],
    [
      'no patch in JSON',
      JSON.stringify({ diff: '', signal: 'TASK_COMPLETE' }),
      { edit: null, notes: '', signal: done },
    ],
  ])('is read: %s', (_, message, value) => {
    expect(readPatchAnswer(message, 't1')).toEqual({ ok: true, value })
  })
})
