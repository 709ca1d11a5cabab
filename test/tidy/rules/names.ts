// A file is called after what it knows. These words fit every file, so they name none.
import type { SourceFile, Violation } from '../source.ts'

const empty = /^(manager|service|helper|util|common|misc)s?$/

export function names(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => /^(src|bin|test|scripts|bench|examples|plugin)\//.test(path))
    .flatMap(({ path }) => {
      const word = wordsOf(path).find((one) => empty.test(one))
      return word === undefined
        ? []
        : [{ path, line: 1, sentence: `'${word}' in a file name says nothing; name the file after what it knows` }]
    })
}

/** `src/store/taskHandler.test.ts` is src, store, task, handler, test, ts. */
function wordsOf(path: string): string[] {
  return path
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}
