import { expect, it } from 'vitest'
import { commandHelp } from './usage.ts'

it('commandHelp lines up what the flags mean', () => {
  const flags = [
    { long: 'count', short: 'n', takes: 'value', value: 'N', about: 'how many' },
    { long: 'deps', takes: 'list', value: 'A,B', about: 'which' },
    { long: 'file', takes: 'value' },
    { long: 'help', short: 'h', takes: 'nothing', about: 'this text' },
  ] as const
  const command = {
    usage: 'task peek [-n 5]',
    who: 'anyone',
    about: 'Looks.',
    flags,
    wordsMax: 0,
    run: async () => {},
  } as const
  expect(commandHelp(command, flags)).toBe(`Usage: ralph task peek [-n 5]

Looks.

  -n, --count N      how many
      --deps A,B     which
      --file VALUE
  -h, --help         this text
`)
})
