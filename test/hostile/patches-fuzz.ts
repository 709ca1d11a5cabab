// Answers made of the parts that diffs are made of, put together in right and in wrong ways.
import fc from 'fast-check'

const name = fc.constantFrom(
  ...['a.txt', 'src/b.js', 'new.txt', 'src/new/c.js', '/dev/null', '../x', '/abs/x', '.git/config', '.GIT/x', 'link/x'],
  ...['ralph.toml', 'win.txt', 'a\\b', 'x y', '"a\\056txt"', '', ' ', 'a\tb', 'ä✓🐙', 'git~1/x', 'a.txt/x', 'src'],
)
const prefix = fc.constantFrom('a/', 'b/', '', 'c/', 'a//')
const lineEnd = fc.constantFrom('\n', '\n', '\n', '\n', '\r\n', '', '\0\n')
const count = fc.oneof(fc.integer({ min: 0, max: 5 }).map(String), fc.constantFrom('', '-1', '99999999999999', 'x'))
const body = fc.constantFrom(
  ...[' one', '-two', '+2', ' three', '+', '-', '', '\\ No newline at end of file', '@@', '--- a/a.txt', '+++ b/a.txt'],
  ...['-one', '+TASK_COMPLETE', ' TASK_COMPLETE', 'diff --git a/a.txt b/a.txt', '+\ud800', '-export const b = 1'],
)
const extra = fc.constantFrom(
  ...['new file mode 120000', 'new file mode 100644', 'deleted file mode 100644', 'old mode 100644', 'new mode 100755'],
  ...['rename from a.txt', 'rename to ../x', 'copy from a.txt', 'copy to y.txt', 'similarity index 100%'],
  ...['GIT binary patch', 'index 0000000..1111111 160000', 'Binary files a/x and b/y differ', 'garbage'],
)

const header = fc
  .tuple(prefix, name, prefix, name, fc.array(extra, { maxLength: 3 }), fc.boolean())
  .map(([onePrefix, one, otherPrefix, other, extras, isGit]) => [
    ...(isGit ? [`diff --git ${onePrefix}${one} ${otherPrefix}${other}`, ...extras] : []),
    `--- ${one === '/dev/null' ? one : onePrefix + one}`,
    `+++ ${other === '/dev/null' ? other : otherPrefix + other}`,
  ])
const hunk = fc
  .tuple(count, count, count, count, fc.array(body, { maxLength: 8 }))
  .map(([oldAt, oldCount, newAt, newCount, lines]) => [`@@ -${oldAt},${oldCount} +${newAt},${newCount} @@`, ...lines])
const plainHunk = fc.constantFrom(
  ['@@ -1,3 +1,3 @@', ' one', '-two', '+2', ' three'],
  ['@@ -0,0 +1 @@', '+x'],
  ['@@ -1,3 +0,0 @@', '-one', '-two', '-three'],
)
const section = fc.tuple(header, fc.array(fc.oneof(hunk, plainHunk), { maxLength: 3 }))
const diff = fc
  .tuple(fc.array(section, { minLength: 1, maxLength: 3 }), lineEnd)
  .map(([sections, end]) => sections.flatMap(([head, hunks]) => [...head, ...hunks.flat()]).join(end) + end)

const content = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom('x\n', 'one\r\n', '\0'))
const files = fc.array(fc.record({ path: name, content }), { maxLength: 7 })
const signal = fc.constantFrom('ITERATION_DONE', 'TASK_COMPLETE', 'TASK_STUCK', 'NONSENSE')

export const anyAnswer: fc.Arbitrary<string> = fc.oneof(
  diff,
  diff.map((text) => JSON.stringify({ diff: text })),
  diff.map((text) => `\`\`\`diff\n${text}\`\`\`\n\nITERATION_DONE`),
  fc.tuple(files, signal).map(([list, said]) => JSON.stringify({ files: list, signal: said })),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.json().map((text) => `{"files": ${text}}`),
)
