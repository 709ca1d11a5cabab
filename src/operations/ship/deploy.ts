// The deploy command of [ship]. The start is recorded before it begins: if the end is unknown, nobody runs it a second
// time without being told to.
import type { BuildId, CommitId } from '../../core/values/id.ts'
import { outputText } from '../../system/process/head-tail-buffer.ts'
import { shell } from '../../system/process/command.ts'
import { run } from '../../system/process/spawn.ts'
import type { BuildContext } from '../builds/builds.ts'
import type { RepositoryPlace } from '../builds/plain-git.ts'

const LIMIT_MS = 60 * 60_000
const PAGE = 1_000

export type DeployState = 'known' | 'unknown'

/** `unknown`: a deploy began, and no end was recorded. */
export async function deployState({ store }: BuildContext, build: BuildId): Promise<DeployState> {
  let state: DeployState = 'known'
  for (let after = 0; ;) {
    const facts = await store.builds.facts(build, after, PAGE)
    for (const { fact } of facts) {
      if (fact.type === 'deploying') state = 'unknown'
      if (fact.type === 'deployed') state = 'known'
    }
    const last = facts.at(-1)
    if (last === undefined || facts.length < PAGE) return state
    after = last.seq
  }
}

export interface DeployResult {
  readonly exit: number | null
  readonly output: string
}

export async function deploy(
  { store }: BuildContext,
  build: BuildId,
  { command, commit }: { readonly command: string; readonly commit: CommitId },
  { folder, env }: RepositoryPlace,
  signal: AbortSignal,
): Promise<DeployResult> {
  await store.builds.note(build, { type: 'deploying', command, commit })
  const own = { ...env, RALPH_BUILD: build, RALPH_COMMIT: commit }
  const line = { argv: shell(command), cwd: folder, env: own, deadlineMs: LIMIT_MS, signal }
  const ended = await run({ ...line, speaksFor: 'operator' })
  const exit = ended.how === 'exited' ? ended.code : null
  await store.builds.note(build, { type: 'deployed', commit, exit, by: null })
  return { exit, output: `${outputText(ended.stdout)}${outputText(ended.stderr)}` }
}

/** A person says how it ended. */
export async function sayDeployed({ store, person }: BuildContext, build: BuildId, commit: CommitId): Promise<void> {
  await store.builds.note(build, { type: 'deployed', commit, exit: 0, by: person })
}
