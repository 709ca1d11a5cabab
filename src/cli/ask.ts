import { refuse } from '../core/error.ts'

/** A question to the person at the terminal; `usual` is what Enter means. Who answers with Ctrl+C or Ctrl+D stops it all. */
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
