// Only src/system starts programs: it handles deadlines, process groups and bounded output.
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
