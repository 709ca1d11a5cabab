import { describe, expect, it } from 'vitest'
import { readPatch } from './patch.ts'

const lines = (...all: string[]): string => `${all.join('\n')}\n`

describe('readPatch', () => {
  it('numbers what was removed in the old file and what was added in the new', () => {
    const diff = lines(
      'diff --git a/src/a.ts b/src/a.ts',
      'index 1..2 100644',
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -1,4 +1,5 @@ function x() {',
      ' one',
      '-two',
      '+zwei',
      '+drei',
      ' three',
      ' four',
      '@@ -10 +11,0 @@',
      '-ten',
    )
    expect(readPatch(diff)).toEqual([
      {
        path: 'src/a.ts',
        isBinary: false,
        blocks: [
          {
            removed: [{ number: 2, text: 'two' }],
            added: [
              { number: 2, text: 'zwei' },
              { number: 3, text: 'drei' },
            ],
            at: 2,
          },
          { removed: [{ number: 10, text: 'ten' }], added: [], at: 11 },
        ],
      },
    ])
  })

  it('takes lines that look like headers for what they are inside a hunk', () => {
    const diff = lines(
      'diff --git a/x b/x',
      '--- a/x',
      '+++ b/x',
      '@@ -1,2 +1,2 @@',
      '--- a/y',
      '+++ b/z',
      ' diff --git a/q b/q',
    )
    expect(readPatch(diff)).toEqual([
      {
        path: 'x',
        isBinary: false,
        blocks: [{ removed: [{ number: 1, text: '-- a/y' }], added: [{ number: 1, text: '++ b/z' }], at: 1 }],
      },
    ])
  })

  it.each([
    [
      'a deleted file',
      ['diff --git a/a b b/a b', 'deleted file mode 100644', '--- a/a b\t', '+++ /dev/null'],
      'a b',
      false,
    ],
    [
      'a renamed file',
      ['diff --git a/old b/new', 'similarity index 100%', 'rename from old', 'rename to new'],
      'new',
      false,
    ],
    [
      'an empty new file',
      ['diff --git a/pkg/__init__.py b/pkg/__init__.py', 'new file mode 100644'],
      'pkg/__init__.py',
      false,
    ],
    ['a binary file', ['diff --git a/i.png b/i.png', 'Binary files a/i.png and b/i.png differ'], 'i.png', true],
    [
      'a quoted name',
      [String.raw`diff --git "a/\303\244\t.ts" "b/\303\244\t.ts"`, 'new file mode 100644'],
      'ä\t.ts',
      false,
    ],
    ['a quoted name in a line', [String.raw`diff --git "a/q\"" "b/q\""`, String.raw`+++ "b/q\""`], 'q"', false],
    ['a quoted name that is no UTF-8', [String.raw`diff --git "a/\377" "b/\377"`], String.raw`\377`, false],
  ])('%s', (_, diff, path, isBinary) => {
    expect(readPatch(lines(...diff))).toEqual([{ path, isBinary, blocks: [] }])
  })

  it('reads several files, a missing end of line and no diff at all', () => {
    const diff =
      'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n\\ No newline at end of file\ndiff --git a/b b/b\nold mode 100644\nnew mode 100755'
    expect(readPatch(diff).map(({ path, blocks }) => [path, blocks.length])).toEqual([
      ['a', 1],
      ['b', 0],
    ])
    expect(readPatch('')).toEqual([])
    expect(readPatch('just words\n@@ -1 +1 @@\n+x\n')).toEqual([])
  })
})
