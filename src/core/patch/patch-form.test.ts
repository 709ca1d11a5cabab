import { describe, expect, it } from 'vitest'
import { readForm } from './patch-form.ts'

const HUNK = '@@ -1,2 +1,2 @@\n one\n-two\n+2\n'

describe('the form of a diff', () => {
  it.each<[string, string, 0 | 1]>([
    ['with prefixes', `--- a/x\n+++ b/x\n${HUNK}`, 1],
    ['without', `--- x\n+++ x\n${HUNK}`, 0],
    ['a new file', '--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x\n', 1],
    [
      'git’s own, with words before it',
      `Here it is:\n\ndiff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n${HUNK}`,
      1,
    ],
    ['a rename alone', 'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n', 0],
    ['a removed line that looks like a header', '--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-- a\n one\n', 1],
    ['an empty context line without its blank', '--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n\n-two\n+2\n', 1],
    ['a mark for a missing line end', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n', 1],
    ['two files', `--- a/x\n+++ b/x\n${HUNK}--- a/y\n+++ b/y\n${HUNK}`, 1],
    ['blank lines and a signature below', `--- a/x\n+++ b/x\n${HUNK}-- \n2.39.5\n\n`, 1],
    ['no line end at the end', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b', 1],
  ])('is fine: %s', (_, diff, strip) => {
    expect(readForm(diff)).toEqual({ ok: true, value: { strip } })
  })

  it('counts lines that a hunk does not promise: git would drop them without a word', () => {
    expect(readForm('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n')).toEqual({
      ok: false,
      problem:
        'the hunk in line 3 of the diff says 1 old and 1 new lines, but has 1 and 2; correct its numbers, ' +
        'or answer with whole files instead: {"files": [{"path", "content"}]}',
    })
  })
})
