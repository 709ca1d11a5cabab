// How to make a tree runnable, and whether package scripts may run for it, which depends on what a patch changes in the
// installation.
import { installChanges, type InstallRule, installRule, manifestsAbove } from '../../core/findings/install-scripts.ts'
import { impliedSetup, LOCKS } from '../../core/findings/implied-setup.ts'
import type { Suspect } from '../../core/findings/patch-findings.ts'
import type { TreeId } from '../../core/values/id.ts'
import type { EngineDeps } from '../deps.ts'

interface Installing extends Pick<EngineDeps, 'workspaces' | 'memory'> {
  readonly config: Pick<EngineDeps['config'], 'workspace' | 'origins'>
}

const IMPLIED_TREES_MAX = 64

/** The operator's own setup command; without one, the command that the tree implies. */
export async function setupFor({ config, workspaces, memory }: Installing, tree: TreeId): Promise<string | null> {
  const { setup } = config.workspace
  if (setup !== null || Object.hasOwn(config.origins, 'workspace.setup')) return setup
  const known = memory.impliedSetups
  const found = known.get(tree)
  if (found !== undefined) return found
  if (known.size >= IMPLIED_TREES_MAX) known.clear()
  const manifest = (await workspaces.read(tree, ['package.json'])).get('package.json')
  const has = async (): Promise<string | null> => {
    const missing = await workspaces.missing(tree, LOCKS)
    return impliedSetup(manifest, (file) => !missing.includes(file))
  }
  const command = impliedSetup(manifest, () => false) === null ? null : await has()
  known.set(tree, command)
  return command
}

export async function installRuleFor(engine: Installing, tree: TreeId, suspect: Suspect): Promise<InstallRule> {
  const { config, workspaces } = engine
  const { installScripts: policy } = config.workspace
  const setup = await setupFor(engine, tree)
  if (setup === null) return { scripts: 'run', note: null }
  const manifests = policy === 'never' ? new Map() : await workspaces.read(tree, manifestsAbove(suspect.files))
  return installRule(policy, installChanges(suspect, setup, manifests))
}
