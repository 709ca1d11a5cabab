// Where builds are worked on by a process that lives longer than one of them: what it opens for a piece of work, it closes
// when that is done.
import type { Config } from '../../config/settings/config.ts'
import type { BuildId } from '../../core/values/id.ts'
import type { EngineDeps } from '../../engine/deps.ts'
import { type BuildContext, frozenOf, type OpenWorkspaces, type WorkedAt } from '../builds/builds.ts'
import type { NoticeSettings } from '../feed/notices.ts'
import { sourceAt } from '../plans/plan-source.ts'
import { withProgressFile } from '../builds/progress-file.ts'
import type { CleanClone } from '../ship/verify.ts'
import type { Environment } from '../../core/values/environment.ts'

export interface ServedRepository {
  readonly context: BuildContext
  /** What the repository is called among those that are served. */
  readonly name: string
  /** The operator's checkout. */
  readonly root: string
  readonly env: Environment
  readonly openEngine: (config: Config, at?: WorkedAt) => Promise<EngineDeps>
  readonly openWorkspaces: OpenWorkspaces
  readonly openNotifying: (config: Config) => Promise<Pick<NoticeSettings, 'ways' | 'repository'>>
  /** A clean clone to prove things in, with these ignored files of the checkout; who opens it closes it. */
  readonly openCleanClone: (copy: readonly string[]) => Promise<CleanClone>
  /** The file of a session's transcript, by the name that the engine gives it, whether or not it is there. */
  readonly transcriptFile: (name: string) => Promise<string>
  /** For the operator, a sentence each. */
  readonly note: (sentence: string) => void
}

/** What is needed to work there, and to be told of it. */
export type Workplace = Pick<ServedRepository, 'context' | 'root' | 'env' | 'openEngine' | 'openCleanClone' | 'note'>

/** Everything the build is made with, by the settings it was frozen with. */
export async function openEngineOf(place: EnginePlace, build: BuildId): Promise<EngineDeps> {
  const { config, ...at } = await frozenOf(place.context, build)
  return keepingSource(place, await place.openEngine(config, at), build, at.source)
}

type EnginePlace = Pick<ServedRepository, 'context' | 'root' | 'openEngine' | 'note'>

/** The same shop, keeping the progress file that the plan came from, if it came from one. */
export function keepingSource(
  { root, note }: Pick<ServedRepository, 'root' | 'note'>,
  engine: EngineDeps,
  build: BuildId,
  source: string | null,
): EngineDeps {
  return source === null ? engine : withProgressFile(engine, build, sourceAt(root, source), note)
}

export async function withEngine<T>(
  place: EnginePlace,
  build: BuildId,
  work: (engine: EngineDeps) => Promise<T>,
): Promise<T> {
  const engine = await openEngineOf(place, build)
  try {
    const result = await work(engine)
    await engine.progress?.refresh()
    return result
  } finally {
    engine.store.close()
  }
}
