import { isatty } from 'node:tty'
import { refuse } from '../core/error/error.ts'
import type { Arguments, Flag } from './arguments.ts'

export const YES: Flag = { long: 'yes', short: 'y', takes: 'nothing', about: 'do not ask' }

/** A flag that bypasses the gate needs a yes, at the terminal or as --yes. */
export async function requireYes(flags: Arguments['flags'], flag: string, question: string): Promise<void> {
  if (!flags.has(flag) || flags.has('yes')) return
  if (!isatty(0)) throw refuse('YES_NEEDED', { flag: `--${flag}` })
  if (!(await says(question, 'no'))) throw refuse('NOT_CONFIRMED')
}

/** Asks the person at the terminal. Enter means `usual`; Ctrl+C and Ctrl+D stop the command. */
export async function says(question: string, usual: 'yes' | 'no'): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const text = await terminal.question(`${question} ${usual === 'yes' ? '[Y/n]' : '[y/N]'} `)
    const answer = text.trim().toLowerCase()
    return answer === '' ? usual === 'yes' : answer.startsWith('y')
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error
    process.stderr.write('\n')
    throw refuse('INTERRUPTED', {}, error)
  } finally {
    terminal.close()
  }
}
