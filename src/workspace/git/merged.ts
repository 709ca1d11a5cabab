// Which attempts are on the build branch already: found by the trailers of its commits, so that a merge that was cut off
// by a crash is not done twice.
import { attemptTrailer } from '../../core/commit-message.ts'
import type { CommitId, BuildId, TreeId } from '../../core/id.ts'
import type { AttemptMark, Version } from '../workspace.ts'
import type { Ground } from './ground.ts'
import { baseRef, branchRef } from './layout.ts'
import { readRef } from './refs.ts'

/** What is known of a build branch up to one of its commits. */
export interface Landed {
  readonly upTo: CommitId
  /** Trailer line → the commit that carries it. One map for all states of the branch, which only grows. */
  readonly versions: Map<string, Version>
}

export async function findMerged(ground: Ground, build: BuildId, mark: AttemptMark): Promise<Version | null> {
  const head = await readRef(ground.paths.repo, branchRef(build))
  if (head === null) return null
  const known = ground.memory.landed.get(build)
  const landed = known?.upTo === head ? known : await readOn(ground, build, head, known)
  ground.memory.landed.set(build, landed)
  return landed.versions.get(attemptTrailer(mark)) ?? null
}

/** After a landing nothing need be read again. */
export function rememberLanded(
  { memory }: Ground,
  landing: { readonly build: BuildId; readonly onto: CommitId; readonly tree: TreeId; readonly message: string },
  commit: CommitId,
): void {
  const known = memory.landed.get(landing.build)
  if (known?.upTo !== landing.onto) return
  const { versions } = known
  for (const line of trailersOf(landing.message)) versions.set(line, { commit, tree: landing.tree })
  memory.landed.set(landing.build, { upTo: commit, versions })
}

async function readOn(ground: Ground, build: BuildId, head: CommitId, known: Landed | undefined): Promise<Landed> {
  const { git, paths } = ground
  const from = known?.upTo ?? (await readRef(paths.repo, baseRef(build)))
  if (from === head) return { upTo: head, versions: new Map() }
  const { stdout } = await git.engine(
    ['log', '-z', '--first-parent', '--format=%H%n%T%n%B', head, ...(from === null ? [] : [`^${from}`]), '--'],
    { gitDir: paths.repo },
  )
  const versions = new Map(known?.versions)
  // Newest first; of two with the same trailer the older one is meant, as the first to land.
  for (const text of stdout.toString('utf8').split('\0')) {
    const [commit, tree, ...message] = text.split('\n')
    if (commit === undefined || tree === undefined) continue
    for (const line of trailersOf(message.join('\n')))
      versions.set(line, { commit: commit as CommitId, tree: tree as TreeId })
  }
  return { upTo: head, versions }
}

/** The last paragraph of a message. What a person wrote above it cannot pass for a trailer. */
function trailersOf(message: string): string[] {
  const last =
    message
      .trimEnd()
      .split(/\n\s*\n/)
      .at(-1) ?? ''
  return last.split('\n').filter((line) => line.startsWith('Ralph-Attempt: '))
}
