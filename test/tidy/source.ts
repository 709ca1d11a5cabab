// What a rule looks at, and what it says. Rules are pure: the same files give the same violations.
import { type Comment, type Program, parseSync } from 'oxc-parser'

export interface SourceFile {
  /** From the root of the repository, with `/`. */
  readonly path: string
  readonly text: string
  /** Null for a file that is not TypeScript or JavaScript. */
  readonly code: { readonly program: Program; readonly comments: readonly Comment[] } | null
}

export interface Violation {
  readonly path: string
  readonly line: number
  /** One sentence: what is wrong and what to do. */
  readonly sentence: string
}

export type Rule = (files: readonly SourceFile[]) => Violation[]

export function sourceFile(path: string, text: string): SourceFile {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return { path, text, code: null }
  const { program, comments, errors } = parseSync(path, text)
  const [error] = errors
  if (error !== undefined)
    throw new Error(`${path}:${lineAt(text, error.labels[0]?.start ?? 0)} does not parse: ${error.message}`)
  return { path, text, code: { program, comments } }
}

export function violation(file: SourceFile, offset: number, sentence: string): Violation {
  return { path: file.path, line: lineAt(file.text, offset), sentence }
}

export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

/** Tests may see and do everything. */
export function isTest({ path }: SourceFile): boolean {
  return path.startsWith('test/') || /\.(test|conformance)\.tsx?$/.test(path)
}

/** Code of the product, as opposed to its tests, scripts and settings. */
export function isProduct(file: SourceFile): boolean {
  return file.path.startsWith('src/') && file.code !== null && !isTest(file) && !/\.(config|d)\.ts$/.test(file.path)
}
