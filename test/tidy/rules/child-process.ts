// One door to other programs: src/system knows about deadlines, process groups and bounded output, nobody else has to.
import { importsOf } from '../imports.ts'
import { type SourceFile, type Violation, isProduct, violation } from '../source.ts'

export function childProcess(files: readonly SourceFile[]): Violation[] {
  return files
    .filter((file) => isProduct(file) && !file.path.startsWith('src/system/'))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ specifier }) => /^(node:)?child_process$/.test(specifier ?? ''))
        .map(({ offset }) =>
          violation(
            file,
            offset,
            'child_process is for src/system only; start the program through src/system/process/spawn.ts',
          ),
        ),
    )
}
