// Whether the setup for a patch may run the scripts of packages: decided by what the patch changes of the install.
import { installChanges, type InstallRule, installRule, manifestsAbove } from '../core/install-scripts.ts'
import type { Suspect } from '../core/guard.ts'
import type { TreeId } from '../core/id.ts'
import type { Shop } from './shop.ts'

export async function installRuleFor(
  { config, workspaces }: Pick<Shop, 'config' | 'workspaces'>,
  tree: TreeId,
  suspect: Suspect,
): Promise<InstallRule> {
  const { setup, installScripts: policy } = config.workspace
  if (setup === null) return { scripts: 'run', note: null }
  const manifests = policy === 'never' ? new Map() : await workspaces.read(tree, manifestsAbove(suspect.files))
  return installRule(policy, installChanges(suspect, setup, manifests))
}
