// Looks whether the agent bent a test of its own that was red in an earlier attempt.
import { type ChangedFile, isOfTests } from '../../core/probes/changed-file.ts'
import { redTests, weakenedTests } from '../../core/probes/weakened.ts'
import type { Source } from '../../core/syntax/syntax-tree.ts'
import type { TreeId } from '../../core/values/id.ts'
import type { Examination } from './check-runs.ts'

/** The names of such tests; empty where there was no earlier attempt. */
export async function findWeakened(
  { engine, build, task }: Examination,
  tree: TreeId,
  files: readonly ChangedFile[],
): Promise<ReadonlySet<string>> {
  const kept = await engine.store.builds.attachments(build, 'evidence', task.id)
  const red = redTests(
    kept.map(({ evidence }) => evidence),
    tree,
  )
  const found = new Set<string>()
  if (red.length === 0) return found
  const now = files.flatMap((file) => (file.now === null ? [] : [file.now]))
  for (const { tree: earlier, names } of red) {
    const before = await sourcesIn(engine, earlier, files)
    for (const name of weakenedTests(names, before, now)) found.add(name)
  }
  return found
}

async function sourcesIn(
  { workspaces, syntax }: Examination['engine'],
  tree: TreeId,
  files: readonly ChangedFile[],
): Promise<Source[]> {
  const paths = files.map(({ path }) => path)
  const texts = await workspaces.read(tree, paths.filter(isOfTests))
  const read = await Promise.all([...texts].map(([path, text]) => syntax.read(path, text)))
  return read.filter((source) => source !== null)
}
