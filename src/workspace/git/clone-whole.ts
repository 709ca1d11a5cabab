// A repository copied object by object: nothing is linked to the original or borrowed from it, and an object whose content
// does not match its hash is not taken for what it is called.
import { startGit } from './git.ts'

export async function cloneWhole(
  env: Readonly<Record<string, string | undefined>>,
  commonDir: string,
  to: string,
): Promise<void> {
  await startGit(env).clone(commonDir, to)
}
