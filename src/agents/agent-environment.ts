// An agent inherits nothing. It gets the variables that every program needs, and those that the user names.
import { delimiter, isAbsolute } from 'node:path'
import type { Environment } from '../core/values/environment.ts'

/** Without a language of the user: UTF-8, the encoding of the prompt. */
const LANG_DEFAULT = 'C.UTF-8'

const PATH_DEFAULT = '/usr/local/bin:/usr/bin:/bin'

/** `home`: null means the user's own. */
export function agentEnvironment(
  user: Environment,
  names: readonly string[],
  home: string | null,
): Record<string, string> {
  const listed = names.flatMap((name) => {
    const value = user[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const ownHome = home ?? user['HOME']
  return {
    PATH: programPath(user),
    ...(ownHome === undefined ? {} : { HOME: ownHome }),
    LANG: user['LANG'] ?? LANG_DEFAULT,
    TERM: 'dumb',
    ...Object.fromEntries(listed),
  }
}

/** The first folder of the session's PATH. */
export function withCommands(path: string | undefined, commands: string | undefined): string {
  return [commands, path].filter((entry) => entry !== undefined && entry !== '').join(delimiter)
}

/** A relative entry would be below the agent's folder, where it may write programs. */
export function programPath(user: Environment): string {
  const path = user['PATH'] ?? PATH_DEFAULT
  return path.split(delimiter).filter(isAbsolute).join(delimiter)
}
