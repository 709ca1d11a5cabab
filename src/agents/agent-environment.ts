// An agent inherits nothing: it gets what every program needs, and what the user has named.
import { delimiter, isAbsolute } from 'node:path'
import type { Environment } from '../core/values/environment.ts'

/** Where the user has set no language: UTF-8, in which the prompt is written. */
const LANG_DEFAULT = 'C.UTF-8'

const PATH_DEFAULT = '/usr/local/bin:/usr/bin:/bin'

/** `home` is null where the user's own is meant. */
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

/** What the session's own shell finds first. */
export function withCommands(path: string | undefined, commands: string | undefined): string {
  return [commands, path].filter((entry) => entry !== undefined && entry !== '').join(delimiter)
}

/** A relative entry would mean the folder the agent works in, where it may put programs of its own. */
export function programPath(user: Environment): string {
  const path = user['PATH'] ?? PATH_DEFAULT
  return path.split(delimiter).filter(isAbsolute).join(delimiter)
}
