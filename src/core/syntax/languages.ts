// Which grammar reads a file, by the end of its name.
import type { Language } from './syntax-tree.ts'

const LANGUAGES: Readonly<Record<string, Language>> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  py: 'python',
  pyi: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  rb: 'ruby',
  rake: 'ruby',
  c: 'c',
  h: 'c',
}

/** Null: no grammar reads this file. */
export function languageOf(path: string): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (name === 'rakefile' || name === 'gemfile') return 'ruby'
  const dot = name.lastIndexOf('.')
  const ending = dot <= 0 ? '' : name.slice(dot + 1)
  return Object.hasOwn(LANGUAGES, ending) ? (LANGUAGES[ending] ?? null) : null
}

/** JavaScript and its dialects have the same rules. */
export function isScript(language: Language): boolean {
  return language === 'javascript' || language === 'typescript' || language === 'tsx'
}
