// The code that a test file uses, as far as its imports tell: the code to break, to see whether the tests notice.
import { importedPaths } from '../syntax/imports.ts'
import type { Source } from '../syntax/syntax-tree.ts'
import { isOfTests } from './changed-file.ts'

/** The order in which a module without an extension is looked for. */
const extensions = ['', '.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.cts', '.py', '.rb', '.c', '.h'] as const
const indexes = ['/index.ts', '/index.tsx', '/index.js', '/index.mjs', '/__init__.py'] as const

/** `files`: of the tree. Empty: nothing was found. */
export function reachedCode(test: Source, files: ReadonlySet<string>): string[] {
  const folder = test.path.split('/').slice(0, -1)
  const found = importedPaths(test).flatMap((name) => fileOf(name, folder, test, files) ?? [])
  return [...new Set([...found, ...beside(test, folder, files)])].filter((path) => !isOfTests(path))
}

function fileOf(name: string, folder: readonly string[], test: Source, files: ReadonlySet<string>): string | null {
  for (const path of candidates(name, folder, test)) {
    // TypeScript names the output of a module: `./a.js` for `./a.ts`.
    const paths = [path, path.replace(/\.([cm]?)jsx?$/, '.$1ts'), path.replace(/\.jsx?$/, '.tsx')]
    for (const one of paths)
      for (const end of [...extensions, ...indexes]) if (files.has(`${one}${end}`)) return `${one}${end}`
  }
  return null
}

function candidates(name: string, folder: readonly string[], { language }: Source): string[] {
  if (language === 'python') return pythonPaths(name, folder)
  if (language === 'rust') return rustPaths(name)
  if (language === 'java')
    return ['src/main/java', 'src', '.'].map((root) => `${join([root, ...name.split('.')])}.java`)
  if (name.startsWith('.') || language === 'c' || language === 'ruby')
    return [join([...folder, ...name.split('/')]), join(['lib', ...name.split('/')]), join(['src', ...name.split('/')])]
  return []
}

function pythonPaths(name: string, folder: readonly string[]): string[] {
  const dots = /^\.*/.exec(name)?.[0].length ?? 0
  const parts = name
    .slice(dots)
    .split('.')
    .filter((part) => part !== '')
  if (dots > 0) return [join([...folder.slice(0, folder.length - dots + 1), ...parts])]
  const roots = [[], ['src'], folder, folder.slice(0, -1)]
  return roots.flatMap((root) => [join([...root, ...parts]), join([...root, ...parts.slice(0, -1)])])
}

function rustPaths(name: string): string[] {
  const [, ...parts] = name.split('::')
  return [...parts.map((_, at) => `src/${parts.slice(0, at + 1).join('/')}.rs`), 'src/lib.rs', 'src/main.rs']
}

/** Tests of Go and Java see the code of their own package without an import. */
function beside({ language, path }: Source, folder: readonly string[], files: ReadonlySet<string>): string[] {
  if (language !== 'go' && language !== 'java') return []
  const place = language === 'java' ? join(folder).replace('src/test/', 'src/main/') : join(folder)
  const ending = language === 'go' ? '.go' : '.java'
  return [...files].filter(
    (file) => file !== path && file.endsWith(ending) && file.split('/').slice(0, -1).join('/') === place,
  )
}

function join(parts: readonly string[]): string {
  const kept: string[] = []
  for (const part of parts.flatMap((one) => one.split('/'))) {
    if (part === '' || part === '.') continue
    if (part === '..') kept.pop()
    else kept.push(part)
  }
  return kept.join('/')
}
