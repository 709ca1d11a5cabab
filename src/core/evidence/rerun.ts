// How anybody runs a check again on exactly the tree of the evidence: in a shell, in the repository, with git.
import type { Evidence } from './evidence.ts'
import { shellWord } from '../values/shell-word.ts'

/** One command line; null where the evidence does not record how the check was run. */
export function rerunCommand(
  { tree, recipe, changed }: Pick<Evidence, 'tree' | 'recipe' | 'changed'>,
  name: string,
): string | null {
  const check = recipe.checks.find((one) => one.name === name)
  if (check === undefined) return null
  const files = changed.map(shellWord).join(' ')
  const command = check.kind === 'validator' ? check.command.replaceAll('{files}', () => files) : check.command
  return [
    'D=$(mktemp -d)',
    `git archive ${tree} | tar -x -C "$D"`,
    'cd "$D"',
    ...(recipe.setup === null ? [] : [`{ ${recipe.setup}; }`]),
    ...(check.cwd === '.' ? [] : [`cd ${shellWord(check.cwd)}`]),
    command,
  ].join(' && ')
}
