// Codex shows a command with the shell that runs it: `/bin/bash -c 'npm test'`. This finds the command in the
// quotes.

const SHELL = /^\/?(?:[\w.-]+\/)*(?:ba|da|z|k)?sh -l?c ([\s\S]+)$/

export function shellWords(command: string): string {
  const word = SHELL.exec(command)?.[1]
  if (word === undefined) return command
  return unquoted(word) ?? command
}

/** One word of a shell; null: it is more, or is quoted in a way that is not known. */
function unquoted(word: string): string | null {
  if (/^'(?:[^']|'\\''|'"'"')*'$/.test(word)) return word.slice(1, -1).replaceAll(/'\\''|'"'"'/g, "'")
  if (/^"(?:[^"\\]|\\[\s\S])*"$/.test(word)) return word.slice(1, -1).replaceAll(/\\([$`"\\])/g, '$1')
  return /^[^\s'"\\]+$/.test(word) ? word : null
}
