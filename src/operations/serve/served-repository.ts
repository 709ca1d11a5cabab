// A repository in a process that lives longer than one build. The process opens what each piece of work needs, and
// closes it afterwards.
import type { Config } from '../../config/settings/config.ts'
import type { BuildId } from '../../core/values/id.ts'
import type { EngineDeps } from '../../engine/deps.ts'
import { type BuildContext, frozenOf, type OpenWorkspaces, type WorkedAt } from '../builds/builds.ts'
import type { NoticeSettings } from '../feed/notices.ts'
import { sourceAt } from '../plans/plan-source.ts'
import { withProgressFile } from '../builds/progress-file.ts'
import type { CleanClone } from '../ship/clean-clone.ts'
import type { Environment } from '../../core/values/environment.ts'

export interface ServedRepository {
  readonly context: BuildContext
  /** The repository's name among those that are served. */
  readonly name: string
  /** The operator's checkout. */
  readonly root: string
  readonly env: Environment
  readonly openEngine: (config: Config, at?: WorkedAt) => Promise<EngineDeps>
  readonly openWorkspaces: OpenWorkspaces
  readonly openNotifying: (config: Config) => Promise<Pick<NoticeSettings, 'ways' | 'repository'>>
  /** A clean clone to verify in, with these ignored files of the checkout; the caller closes it. */
  readonly openCleanClone: (copy: readonly string[]) => Promise<CleanClone>
  /** The file of a transcript by the engine's name for it, whether or not it exists. */
  readonly transcriptFile: (name: string) => Promise<string>
  /** Gets notes for the operator, one sentence each. */
  readonly note: (sentence: string) => void
}

/** The part that is needed to work in the repository. */
export type Workplace = Pick<ServedRepository, 'context' | 'root' | 'env' | 'openEngine' | 'openCleanClone' | 'note'>

/** Opens the engine with the settings that the build was frozen with. */
export async function openEngineOf(place: EnginePlace, build: BuildId): Promise<EngineDeps> {
  const { config, ...at } = await frozenOf(place.context, build)
  return keepingSource(place, await place.openEngine(config, at), build, at.source)
}

type EnginePlace = Pick<ServedRepository, 'context' | 'root' | 'openEngine' | 'note'>

/** The same engine, which also keeps the progress file if the plan came from one. */
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
