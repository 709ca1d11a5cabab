// Names that the package exported before. Programs that use them keep working.
import type { Fact, FactEvent } from '../core/fact/fact.ts'
import type { BuildContext } from '../operations/builds/builds.ts'
import type { ClientOptions } from '../operations/contract/client.ts'
import type { IdeaInput } from '../operations/ideas/ideas.ts'
import type { RalphOptions } from './open-ralph.ts'

/** @deprecated Use `BuildContext`. */
export type BuildDesk = BuildContext

/** @deprecated Use `ClientOptions`. */
export type ClientWish = ClientOptions

/** @deprecated Use `IdeaInput`. */
export type IdeaWish = IdeaInput

/** @deprecated Use `RalphOptions`. */
export type RalphWish = RalphOptions

/** @deprecated Use `FactEvent`. */
export type ToldFact<Type extends Fact['type'] = Fact['type']> = FactEvent<Type>
