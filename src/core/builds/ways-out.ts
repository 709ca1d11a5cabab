import { shellWord } from '../values/shell-word.ts'

/** How to continue a task that waits for a human: the command, and its effect. */
export interface WayOut {
  readonly command: string
  readonly about: string
}

export function waysOut(task: string): readonly WayOut[] {
  const word = shellWord(task)
  return [
    { command: `ralph open ${word}`, about: 'prints its folder: mend it there yourself, then' },
    { command: `ralph resolve ${word} -m 'what you did'`, about: 'verifies your fix and merges it' },
    { command: `ralph answer ${word} -m 'what to know'`, about: 'lets the agent try again, with your words' },
    { command: `ralph retry ${word}`, about: 'lets it try again as it is' },
    { command: `ralph skip ${word}`, about: 'leaves it undone' },
  ]
}
