/** A question to the person at the terminal; `usual` is what Enter means. */
export async function says(question: string, usual: 'yes' | 'no'): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = (await terminal.question(`${question} ${usual === 'yes' ? '[Y/n]' : '[y/N]'} `)).trim().toLowerCase()
  terminal.close()
  return answer === '' ? usual === 'yes' : answer.startsWith('y')
}
