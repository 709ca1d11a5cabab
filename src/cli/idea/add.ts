// `ralph idea add`
import { refuse } from '../../core/error/error.ts'
import { addIdea } from '../../operations/ideas/ideas.ts'
import { readPlanInput, planInputText } from '../../operations/plans/plan-source.ts'
import type { Call, Command } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { checkoutOf, openBuildContext } from '../run/build-context.ts'

export const add: Command = {
  usage: 'idea add TEXT|FILE|- [--title TEXT] [--id ID] [--auto-advance]',
  who: 'operator',
  about: 'Writes down what is wanted, and prints the id of the idea.',
  flags: [
    { long: 'title', takes: 'value', value: 'TEXT', about: 'one line; default: its first line' },
    { long: 'id', takes: 'value', value: 'ID', about: 'an id of your own' },
    { long: 'auto-advance', takes: 'nothing', about: 'a complete build goes on through the ship gate by itself' },
  ],
  wordsMax: 1,
  run: async (call) => {
    const text = await textOf(call, call.words[0])
    const [title, id] = [call.flags.get('title'), call.flags.get('id')]
    const idea = await addIdea(await openBuildContext(call), {
      text,
      ...(title === undefined ? {} : { title }),
      ...(id === undefined ? {} : { id }),
      advance: call.flags.has('auto-advance') ? 'auto' : 'manual',
    })
    if (call.wantsJson) return printJson(idea)
    print(`${idea.id}\n`)
    printError(`'ralph idea move ${idea.id} ideation_ready' says that it is clear.\n`)
  },
}

/** The words themselves, or the content of a file or of stdin. */
export async function textOf(call: Call, word: string | undefined): Promise<string> {
  if (word === undefined) throw refuse('USAGE', { message: 'missing what is wanted' })
  const stdin = async () => (await import('../input.ts')).readInput('what is wanted, on stdin')
  return planInputText(await readPlanInput({ root: checkoutOf(call), folder: call.folder }, word, 'spec', stdin))
}
