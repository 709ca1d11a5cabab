// Answers of an agent without tools that must be refused, each with the reason in the reply.

export interface Hostile {
  readonly name: string
  readonly message: string
  /** What the next iteration reads. */
  readonly reason: RegExp
}

/** What lies in the project; `link` leads to `src`. */
export const PROJECT = {
  'a.txt': 'one\ntwo\nthree\n',
  'src/b.js': 'export const b = 1\n',
  'win.txt': 'one\r\ntwo\r\n',
  'ralph.toml': '[checks]\n',
  '.github/workflows/ci.yml': 'on: push\n',
  'logo.png': new Uint8Array([137, 80, 78, 71, 0, 1, 2, 3]),
} as const

const json = (fields: object): string => JSON.stringify(fields)
const ofDiff = (diff: string): string => json({ diff, signal: 'TASK_COMPLETE' })
const file = (path: string, content = 'x\n'): string => json({ files: [{ path, content }] })
const adding = (path: string, mode = '100644'): string =>
  ofDiff(`diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`)
const toA = (hunk: string): string => ofDiff(`--- a/a.txt\n+++ b/a.txt\n${hunk}`)
const GOOD = '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n'

const OUTSIDE = /leads out of the project|is no path inside the project/
const IN_GIT = /lies in a git folder|is no path that a patch may name/

const named = (name: string, message: string, reason: RegExp): Hostile => ({ name, message, reason })

/** `outside`: an absolute path that must not be written. */
export function hostilePaths(outside: string): Hostile[] {
  return [
    named('a diff that climbs out', adding('../evil.txt'), OUTSIDE),
    named('a diff that climbs out from a folder', adding('src/../../evil.txt'), OUTSIDE),
    named('a diff that climbs far', adding('../../../../../../../../etc/evil'), OUTSIDE),
    named('an absolute diff', ofDiff(`--- /dev/null\n+++ ${outside}\n@@ -0,0 +1 @@\n+x\n`), OUTSIDE),
    named('an absolute diff behind b/', adding(outside), /is no path inside|is no plain path|is no path that/),
    named(
      'a header that says another path than the lines',
      ofDiff(`diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/../evil\n${GOOD}`),
      OUTSIDE,
    ),
    named(
      'a rename that climbs out',
      ofDiff('diff --git a/a.txt b/../evil\nsimilarity index 100%\nrename from a.txt\nrename to ../evil\n'),
      OUTSIDE,
    ),
    named(
      'a copy that climbs out',
      ofDiff('diff --git a/a.txt b/../evil\nsimilarity index 100%\ncopy from a.txt\ncopy to ../evil\n'),
      OUTSIDE,
    ),
    named(
      'a quoted path that climbs out',
      ofDiff('--- /dev/null\n+++ "b/\\056\\056/evil"\n@@ -0,0 +1 @@\n+x\n'),
      OUTSIDE,
    ),
    named('a file that climbs out', file('../evil.txt'), OUTSIDE),
    named('an absolute file', file(outside), OUTSIDE),
    named('a file in a home', file('~/.ssh/authorized_keys'), OUTSIDE),
    named('a file on a drive', file('C:/evil.txt'), OUTSIDE),
    named('a file with backslashes', file('..\\..\\evil.txt'), /backslash/),
    named('a file with . in its path', file('src/./x.js'), /no plain path/),
    named('a file with // in its path', file('src//x.js'), /no plain path/),
    named('a file without a name', file(''), /a path is empty/),
    named('a folder as a file', file('src/'), /no plain path/),
    named('a file with a line break in its name', file('a\nb.txt'), /control characters/),
    named('a file with NUL in its name', file('a\0b.txt'), /control characters/),
    named('a name that is half a character', file('a\ud800.txt'), /not UTF-8/),
    named('a name of 2,000 characters', file('x'.repeat(2000)), /longer than 1024 characters/),
    named('a file 70 folders deep', file(`${'d/'.repeat(70)}x`), /more than 64 folders deep/),
    named('a hook', adding('.git/hooks/post-commit'), IN_GIT),
    named('a hook as a file', file('.git/hooks/post-commit'), IN_GIT),
    named('the git folder in capitals', adding('.GIT/config'), IN_GIT),
    named('a git folder further down', file('src/.git/config'), IN_GIT),
    named('a git folder as HFS+ sees it', file('.g\u200cit/config'), IN_GIT),
    named('a git folder as HFS+ sees it, in a diff', adding('.gi\ufefft/config'), IN_GIT),
    named('a git folder as NTFS shortens it', adding('git~1/config'), IN_GIT),
    named('a git folder as NTFS streams it', file('.git::$INDEX_ALLOCATION/config'), IN_GIT),
    named('a git folder with a dot after it', file('.git./config'), IN_GIT),
    named('a git folder with a blank after it', file('.git /config'), IN_GIT),
    named('a git folder as a file', file('.git', 'gitdir: /evil\n'), IN_GIT),
    named('the scratchpad', file('.ralph-scratchpad.md'), /is the scratchpad and no part of a patch/),
    named('a protected file', file('ralph.toml'), /is protected \(protect\.paths has ralph\.toml\)/),
    named('a protected file in capitals', file('RALPH.TOML'), /is protected/),
    named(
      'a file in a protected folder',
      adding('.github/workflows/evil.yml'),
      /is protected \(protect\.paths has \.github/,
    ),
    named(
      'a protected file renamed away',
      ofDiff('diff --git a/ralph.toml b/r.toml\nsimilarity index 100%\nrename from ralph.toml\nrename to r.toml\n'),
      /ralph\.toml is protected/,
    ),
    named('a path behind a link', adding('link/evil.js'), /behind a symbolic link/),
    named('a file behind a link', file('link/evil.js'), /file of it stands where there is a folder|would be/),
    named('a file in the place of a link', file('link', 'x\n'), /is a symbolic link; change the file/),
  ]
}

export const hostileContents: readonly Hostile[] = [
  named('a new link', adding('evil', '120000'), /would be a symbolic link/),
  named(
    'a file that becomes a link',
    ofDiff(
      'diff --git a/src/b.js b/src/b.js\ndeleted file mode 100644\n--- a/src/b.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-export const b = 1\ndiff --git a/src/b.js b/src/b.js\nnew file mode 120000\n--- /dev/null\n+++ b/src/b.js\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n',
    ),
    /would be a symbolic link/,
  ),
  named(
    'a link that is led elsewhere',
    ofDiff(
      'diff --git a/link b/link\n--- a/link\n+++ b/link\n@@ -1 +1 @@\n-src\n\\ No newline at end of file\n+/etc\n\\ No newline at end of file\n',
    ),
    /symbolic link/,
  ),
  named(
    'a submodule',
    ofDiff(
      'diff --git a/sub b/sub\nnew file mode 160000\n--- /dev/null\n+++ b/sub\n@@ -0,0 +1 @@\n+Subproject commit 1111111111111111111111111111111111111111\n',
    ),
    /repository inside the project/,
  ),
  named(
    'a binary patch',
    ofDiff(
      'diff --git a/x.bin b/x.bin\nnew file mode 100644\nindex 0000000..1111111\nGIT binary patch\nliteral 3\nKcmZQzfB*mh\n\nliteral 0\nHcmV?d00001\n',
    ),
    /binary change/,
  ),
  named(
    'a binary file that only says so',
    ofDiff('diff --git a/logo.png b/logo.png\nBinary files a/logo.png and b/logo.png differ\n'),
    /binary change/,
  ),
  named('a binary file as text', file('x.bin', 'a\0b'), /is not text/),
  named('a picture replaced by text', file('logo.png', 'x\n'), /is not text/),
  named('NUL in a diff', toA('@@ -1,3 +1,3 @@\n one\n-two\n+t\0o\n three\n'), /NUL/),
  named(
    'six files',
    json({ files: [1, 2, 3, 4, 5, 6].map((at) => ({ path: `${at}.js`, content: 'x\n' })) }),
    /changes 6 files, more than the 5 allowed/,
  ),
  named(
    'a file twice',
    json({
      files: [
        { path: 'x', content: '1' },
        { path: 'x', content: '2' },
      ],
    }),
    /given twice/,
  ),
  named('a file where there is a folder', file('src', 'x\n'), /stands where there is a folder/),
  named('a folder where there is a file', adding('a.txt/x'), /file where there is a folder/),
  named('too much of it', file('big.txt', 'x'.repeat(5_000_000)), /longer than 4194304 characters/),
  named('CRLF into a file with LF', file('a.txt', 'one\r\ntwo\r\n'), /has LF line ends, and the patch brings CRLF/),
  named('LF into a file with CRLF', file('win.txt', 'one\n2\n'), /has CRLF line ends, and the patch brings LF/),
  named(
    'a diff with LF for a file with CRLF',
    ofDiff('--- a/win.txt\n+++ b/win.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n'),
    /does not fit the file as it is now \(it has CRLF line ends\)/,
  ),
  named(
    'a line with CRLF into a file with LF',
    toA('@@ -1,3 +1,4 @@\n one\n+1.5\r\n two\n three\n'),
    /has LF line ends/,
  ),
  named('a diff that is CRLF itself', toA(GOOD).replaceAll(String.raw`\n`, String.raw`\r\n`), /end with CRLF/),
]

export const malformed: readonly Hostile[] = [
  named('nothing', '', /there is no patch in the answer/),
  named('prose', 'I changed a.txt for you.', /there is no patch in the answer/),
  named('half a JSON', '{"diff": "--- a/a.txt', /there is no patch in the answer/),
  named('a list', '[]', /there is no patch in the answer/),
  named('an object of another kind', json({ decision: 'approve' }), /neither 'diff' nor 'files' nor 'signal'/),
  named('a diff that is a number', json({ diff: 1 }), /'diff' must be a text/),
  named('files that are texts', json({ files: ['a.txt'] }), /file 1 must have 'path' and 'content'/),
  named('both forms', json({ diff: 'x', files: [{ path: 'x', content: 'x' }] }), /both given/),
  named('another task', json({ task_id: 'other', diff: '' }), /'task_id' is "other", but the task is 't-1'/),
  named('an unknown signal', json({ files: [], signal: 'DONE' }), /'signal' must be one of/),
  named('two blocks', '```diff\n--- a/x\n```\n```diff\n--- a/y\n```', /there is no patch|more than one fenced block/),
  named('a message without its middle', `{"diff": "\n… 12,345 bytes left out …\n"}`, /without its middle/),
  named('text in place of a diff', ofDiff('change two to 2'), /there is no unified diff/),
  named(
    'another format',
    ofDiff('*** Begin Patch\n*** Update File: a.txt\n-two\n+2\n*** End Patch\n'),
    /is of another format/,
  ),
  named('a hunk without a header', ofDiff(GOOD), /has no --- and \+\+\+ lines before it/),
  named('a header without a hunk', ofDiff('--- a/a.txt\n+++ b/a.txt\n'), /git does not take the diff/),
  named(
    'a hunk that promises more',
    toA('@@ -1,3 +1,9 @@\n one\n-two\n+2\n three\n'),
    /says 3 old and 9 new lines, but has 3 and 3/,
  ),
  named(
    'a hunk that promises less',
    toA('@@ -1,2 +1,2 @@\n one\n-two\n+2\n three\n'),
    /says 2 old and 2 new lines, but has 3 and 3/,
  ),
  named('a hunk without numbers', toA('@@ @@\n one\n-two\n+2\n'), /is no hunk header/),
  named('a hunk with huge numbers', toA('@@ -1,99999999999 +1,99999999999 @@\n one\n'), /but has 1 and 1/),
  named(
    'a hunk for other lines',
    toA('@@ -1,3 +1,3 @@\n eins\n-zwei\n+2\n drei\n'),
    /does not fit the file as it is now; its lines 1 to 3 of 3 are:\none\ntwo\nthree\n/,
  ),
  named(
    'a hunk for a file that is gone',
    ofDiff('--- a/gone.txt\n+++ b/gone.txt\n@@ -1 +1 @@\n-a\n+b\n'),
    /gone\.txt is not in the project/,
  ),
  named('a new file that is there', adding('a.txt'), /a\.txt is there already; change it/),
  named(
    'the same hunk twice',
    ofDiff(`--- a/a.txt\n+++ b/a.txt\n${GOOD}--- a/a.txt\n+++ b/a.txt\n${GOOD}`),
    /does not fit the file/,
  ),
  named(
    'a deletion that leaves lines',
    ofDiff('diff --git a/a.txt b/a.txt\ndeleted file mode 100644\n--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n'),
    /does not fit|git does not take/,
  ),
  named('a mode that is none', adding('x', '100x44'), /git does not take the diff/),
  named(
    'an option as a path',
    ofDiff('--- a/--index\n+++ b/--index\n@@ -1 +1 @@\n-a\n+b\n'),
    /--index is not in the project/,
  ),
]
