// Whether a setup may run the install scripts of packages. A patch that changes what is installed could make them run
// anything before anybody has looked at it, so they are off for it; once it is merged, somebody has cleared it, and
// they run again.
import type { Change, Suspect } from './patch-findings.ts'
import { changedParts } from './manifest-findings.ts'
import type { Judgement } from '../evidence/verification.ts'

export const INSTALL_SCRIPTS = ['unchanged', 'always', 'never'] as const
export type InstallPolicy = (typeof INSTALL_SCRIPTS)[number]

export interface InstallRule {
  readonly scripts: 'run' | 'off'
  /** A note for the reader of the evidence; null: nothing unusual. */
  readonly note: string | null
}

export function installRule(policy: InstallPolicy, changes: readonly string[]): InstallRule {
  const what = [...changes.slice(0, SHOWN_MAX), ...(changes.length > SHOWN_MAX ? ['more'] : [])].join(', ')
  if (policy === 'never') return { scripts: 'off', note: 'setup: install scripts were off (install_scripts = "never")' }
  if (changes.length === 0) return { scripts: 'run', note: null }
  if (policy === 'always')
    return { scripts: 'run', note: `setup: install scripts ran although the patch changes ${what}` }
  return {
    scripts: 'off',
    note: `setup: install scripts were off, because the patch changes ${what} (install_scripts under [workspace])`,
  }
}

const SHOWN_MAX = 5

/** Added to the verdict; where it is not green, the reader should know what may be missing. */
export function withInstallNote({ verdict, notes }: Judgement, { note }: InstallRule): Judgement {
  if (note === null) return { verdict, notes }
  const told = verdict.is === 'green' ? verdict : { ...verdict, error: `${verdict.error}\n\n${note}` }
  return { verdict: told, notes: [...notes, note] }
}

const locks =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|\.npmrc|\.yarnrc(?:\.ya?ml)?|\.pnpmfile\.c?js|pnpm-workspace\.yaml|bunfig\.toml)$|(?:^|\/)\.yarn\/(?:plugins|releases|patches)\//
const manifest = /(?:^|\/)package\.json$/
const installParts =
  /ependencies(?:[.-]|$)|^(?:overrides|resolutions|workspaces|packageManager|allowScripts)(?:\.|$)|^pnpm\.|^scripts\.(?:(?:pre|post)?(?:install|prepare)|dependencies|prepublish|pnpm:devPreinstall)$/
const installScripts = /^(?:(?:pre|post)?(?:install|prepare)|dependencies|prepublish|pnpm:devPreinstall)$/

/** The manifests whose install scripts may name one of the changed files. */
export function manifestsAbove(files: readonly Change[]): string[] {
  const folders = files.flatMap(({ path }) => {
    const parts = path.split('/').slice(0, -1)
    return ['', ...parts.map((_, at) => `${parts.slice(0, at + 1).join('/')}/`)]
  })
  return [...new Set(folders)].map((folder) => `${folder}package.json`)
}

/** Why the install differs from that of the base; empty: it is the same. `manifests`: their current content. */
export function installChanges(
  { files, contents }: Pick<Suspect, 'files' | 'contents'>,
  command: string,
  manifests: ReadonlyMap<string, string>,
): string[] {
  const run = new Set([
    ...namedIn(command, ''),
    ...[...manifests].flatMap(([path, text]) =>
      scriptsOf(text).flatMap((script) => namedIn(script, path.slice(0, -'package.json'.length))),
    ),
  ])
  const changed = files.flatMap(({ path, change, from }) => {
    const paths = [path, ...(from === undefined ? [] : [from])]
    if (paths.some((one) => locks.test(one) || run.has(one))) return [path]
    if (!paths.some((one) => manifest.test(one))) return []
    const versions = contents.get(path)
    const parts = change === 'modified' && versions !== undefined ? changedParts(path, versions) : null
    if (parts === null) return [path]
    const judged = parts.filter((part) => installParts.test(part))
    return judged.length === 0 ? [] : [`${path} (${judged[0]})`]
  })
  return [...new Set(changed)]
}

function scriptsOf(text: string): string[] {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: Record<string, unknown> }
    return Object.entries(scripts ?? {}).flatMap(([name, script]) =>
      installScripts.test(name) && typeof script === 'string' ? [script] : [],
    )
  } catch {
    return []
  }
}

/** Every word of a command line that may be the name of a file. */
function namedIn(command: string, folder: string): string[] {
  return command.split(/[\s'"`;&|()<>=]+/).flatMap((word) => {
    const name = word.replace(/^(?:\.\/)+/, '')
    return name === '' ? [] : [`${folder}${name}`, `${folder}${name}.js`]
  })
}
