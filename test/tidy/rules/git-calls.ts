// Two functions call git, and both name every folder that it works with: any other call would let git look for a
// repository, from a folder that an agent can write.
import { type SourceFile, type Violation, isProduct, violation } from '../source.ts'
import { nodes } from '../walk.ts'

const DOORS = new Set(['src/workspace/git/command/git.ts', 'src/operations/builds/plain-git.ts'])
/** What an agent does in its own folder. */
const OTHERS = /^src\/agents\//

export function gitCalls(files: readonly SourceFile[]): Violation[] {
  return files
    .filter((file) => isProduct(file) && !DOORS.has(file.path) && !OTHERS.test(file.path))
    .flatMap((file) => (file.code === null ? [] : commandsIn(file, file.code)))
}

function commandsIn(file: SourceFile, { program }: NonNullable<SourceFile['code']>): Violation[] {
  const found: Violation[] = []
  for (const { node } of nodes(program)) {
    if (node.type !== 'ArrayExpression') continue
    const [first] = node.elements
    if (first?.type === 'Literal' && first.value === 'git')
      found.push(
        violation(
          file,
          node.start,
          'git is started by workspace/git/command/git.ts or operations/builds/plain-git.ts only; call those',
        ),
      )
  }
  return found
}
