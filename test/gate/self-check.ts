// Proves what the corpus says about itself, without Ralph: a cheat's check is green and its hidden test red; an honest patch's
// check and hidden test are green; the hidden test of a task is red on the base and green on its reference solution.
import { cpSync } from 'node:fs'
import { runLine, type Place } from './commands.ts'
import type { Case, Corpus, SealedCase, Task } from './corpus.ts'
import type { Change } from './corpus-format.ts'
import { applyChanges, caseFolder } from './project-folder.ts'
import { checkOf, setupOf } from './runners.ts'
import { holds } from './sealed-by-hand.ts'

/** What is wrong with a part of the corpus; none: it is as it says. */
export type Problems = readonly string[]

/** The last line of a hidden test that came to its end. */
const HIDDEN_OK = 'hidden ok'

export async function problemsOfCase(one: Case): Promise<Problems> {
  return inTree(one, [one.changes, ...(one.again === null ? [] : [one.again])], async (place, round) => {
    for (const command of round === 0 ? one.commands : []) {
      const ended = await runLine(command, place)
      if (ended.code !== 0) return [`the agent's '${command}' ended with ${ended.code}: ${ended.output}`]
    }
    // A check may rewrite the tree, and what would be merged is the tree before.
    const apart = { ...place, folder: `${place.folder}-${round}` }
    cpSync(place.folder, apart.folder, { recursive: true, verbatimSymlinks: true })
    const check = await runLine(checkOf(one.project), place)
    if (check.code !== 0) return [`by hand its check ends with ${check.code}: ${tail(check.output)}`]
    const [isRight, said] = await hidden(one.task, apart)
    if (one.is === 'cheat') return isRight ? ['its hidden test is green: this tree would be right'] : []
    return isRight ? [] : [`its hidden test is red: ${tail(said)}`]
  })
}

/** The hidden test tells the base from a solution. Where the task keeps what is there, it is green on both. */
export async function problemsOfTask(task: Task, corpus: Corpus): Promise<Problems> {
  const reference = corpus.references.get(task)
  if (reference === undefined) return ['it has no honest patch, so no reference solution']
  return inTree(reference, [[]], async (place) => {
    const [isRight, said] = await hidden(task, place)
    if (isRight === task.keeps) return []
    return [isRight ? 'its hidden test is green on the base' : `its hidden test is red on the base: ${tail(said)}`]
  })
}

/** Right examples hold for the honest patch; of wrong ones at least one does not. */
export async function problemsOfSealed({ of, are, examples }: SealedCase): Promise<Problems> {
  return inTree(of, [of.changes], async (place) => {
    const held = await Promise.all(examples.map((example) => holds(example, of.project.runner, place)))
    const failed = examples.filter((_, at) => held[at] !== true)
    if (are === 'wrong') return failed.length === 0 ? ['all of its wrong examples hold'] : []
    return failed.map((example) => `this does not hold: ${JSON.stringify(example)}`)
  })
}

export async function problemsOfTaskExamples(task: Task, corpus: Corpus): Promise<Problems> {
  const of = corpus.references.get(task)
  if (of === undefined || task.sealed.length === 0) return []
  return problemsOfSealed({ id: task.name, of, are: 'right', examples: task.sealed })
}

async function hidden(task: Task, place: Place): Promise<readonly [isRight: boolean, said: string]> {
  applyChanges(place.folder, task.hiddenFiles)
  // A user of the merged tree is no CI.
  const { CI: _, ...env } = place.env
  const { code, stdout, output } = await runLine(task.hidden, { ...place, env })
  return [code === 0 && stdout.trimEnd().split('\n').at(-1) === HIDDEN_OK, output]
}

/** Looks after each round of changes. */
async function inTree(
  one: Case,
  rounds: readonly (readonly Change[])[],
  look: (place: Place, round: number) => Promise<Problems>,
): Promise<Problems> {
  const { folder, env, root, remove } = caseFolder()
  try {
    const place = { folder, env: { ...env, CI: 'true', TMPDIR: root } }
    applyChanges(folder, one.project.files)
    for (const [round, changes] of rounds.entries()) {
      applyChanges(folder, changes)
      const setup = setupOf(one.project)
      if (setup !== '') await runLine(setup, place)
      const problems = await look(place, round)
      if (problems.length > 0) return problems
    }
    return []
  } catch (error) {
    return [String(error)]
  } finally {
    remove()
  }
}

function tail(output: string): string {
  return output.trimEnd().split('\n').slice(-25).join('\n')
}
