// The environment of a check: the programs on PATH, the user's colours, and nothing else of the user. Unlisted
// variables do not reach it: no token, no proxy, no option of the user's tools, no setting of the npm that may have
// started Ralph.
import { existsSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path'

export type CheckEnvironment = Readonly<Record<string, string>>

export interface EnvironmentParts {
  /** The user's own environment; little of it is used. */
  readonly user: Readonly<Record<string, string | undefined>>
  /** The home and temporary folder of the run. */
  readonly home: string
  readonly temporary: string
  /** The folder of the tree. */
  readonly folder: string
}

export function checkEnvironment({ user, home, temporary, folder }: EnvironmentParts): CheckEnvironment {
  return {
    ...givenBy(user),
    PATH: searchPath(user['PATH']),
    HOME: home,
    TMPDIR: temporary,
    LANG: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8',
    SHELL: '/bin/sh',
    CI: 'true',
    // git must not find a repository above the checkout, least of all the user's.
    GIT_CEILING_DIRECTORIES: dirname(folder),
    NO_UPDATE_NOTIFIER: '1',
    npm_config_update_notifier: 'false',
    npm_config_fund: 'false',
    npm_config_audit: 'false',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
  }
}

/**
 * Variables beside PATH that may affect a result: toolchain folders, and the user's colours. A suite about colours is
 * green or red because of these.
 */
export function givenBy(user: EnvironmentParts['user']): CheckEnvironment {
  const colours = ['TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR'].flatMap((name) => {
    const value = user[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...toolchains(user), ...Object.fromEntries(colours) }
}

/**
 * Leaves out programs of packages: `npx ralph` puts Ralph's own tools first, and a check would pass with their help.
 */
export function searchPath(path: string | undefined): string {
  const folders = (path ?? '').split(delimiter).filter((folder) => {
    return isAbsolute(folder) && !folder.split(sep).includes('node_modules')
  })
  return folders.length === 0 ? '/usr/local/bin:/usr/bin:/bin' : [...new Set(folders)].join(delimiter)
}

// Programs on PATH may be shims that look for the real ones in the user's home, which a check does not have.
const locations: Readonly<Record<string, string>> = {
  RUSTUP_HOME: '.rustup',
  PYENV_ROOT: '.pyenv',
  RBENV_ROOT: '.rbenv',
  NODENV_ROOT: '.nodenv',
  GOENV_ROOT: '.goenv',
  ASDF_DATA_DIR: '.asdf',
  MISE_DATA_DIR: '.local/share/mise',
  VOLTA_HOME: '.volta',
  SDKMAN_DIR: '.sdkman',
  JAVA_HOME: '',
  GOROOT: '',
}

function toolchains(user: EnvironmentParts['user']): CheckEnvironment {
  const found = Object.entries(locations).map(([name, usual]): [string, string] => {
    const inHome = usual === '' || user['HOME'] === undefined ? '' : join(user['HOME'], usual)
    return [name, user[name] ?? inHome]
  })
  return Object.fromEntries(found.filter(([, folder]) => folder !== '' && existsSync(folder)))
}
