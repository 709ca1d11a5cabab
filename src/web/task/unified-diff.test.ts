import { expect, it } from 'vitest'
import { readDiff } from './unified-diff.ts'

it('has files, lines with their numbers, and what git says of others', () => {
  const diff = [
    'diff --git a/a b.ts b/a b.ts',
    'index 1..2 100644',
    '--- a/a b.ts',
    '+++ b/a b.ts',
    '@@ -3,3 +3,3 @@ function sum()',
    ' same',
    '--- was',
    '+++ is',
    ' end',
    'diff --git a/old.ts b/new.ts',
    'similarity index 100%',
    'rename from old.ts',
    'rename to new.ts',
    '',
  ].join('\n')
  expect(readDiff(diff)).toMatchObject([
    {
      path: 'a b.ts',
      added: 1,
      removed: 1,
      notes: [],
      lines: [
        { kind: 'gap', before: null, after: null, text: 'function sum()' },
        { kind: 'same', before: 3, after: 3, text: 'same' },
        { kind: 'removed', before: 4, after: null, text: '-- was' },
        { kind: 'added', before: null, after: 4, text: '++ is' },
        { kind: 'same', before: 5, after: 5, text: 'end' },
      ],
    },
    {
      path: 'new.ts',
      added: 0,
      removed: 0,
      notes: ['similarity index 100%', 'rename from old.ts', 'rename to new.ts'],
      lines: [],
    },
  ])
})
