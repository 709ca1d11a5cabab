// `ralph idea …`: which words are which command.
import type { Group } from '../command.ts'
import { add } from './add.ts'
import { list, show } from './look.ts'
import { move } from './move.ts'

export const idea: Group = {
  usage: 'idea add | list | show | move   (ralph idea --help tells more)',
  help: async () => (await import('./help.ts')).ideaHelp,
  commands: { add, list, show, move },
}
