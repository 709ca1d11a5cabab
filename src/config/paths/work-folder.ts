import { basename, dirname, isAbsolute, join } from 'node:path'
import { stateFolder } from './place.ts'
import type { Repository } from './repository.ts'
import type { Environment } from '../../core/values/environment.ts'
import { sha256 } from '../../system/hash.ts'

const NAME_LENGTH = 12

/**
 * Where agents and checks work: a folder for this repository in the user's cache. Not below the git dir, which holds
 * everything else: Jest and Metro ignore projects below a folder `.git`, and agents hesitate to write there.
 */
export function workFolder(repository: Repository, env: Environment): string {
  const { XDG_CACHE_HOME: cache, HOME: home } = env
  const { commonDir } = repository
  const name = `${basename(dirname(commonDir))}-${sha256(commonDir).slice(0, NAME_LENGTH)}`
  if (cache !== undefined && isAbsolute(cache)) return join(cache, 'ralph', name)
  if (home !== undefined && isAbsolute(home)) return join(home, '.cache', 'ralph', name)
  return stateFolder(repository)
}
