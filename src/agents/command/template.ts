// Fills in the words of a command line; values that change between sessions are in braces.

/** What a place in braces stands for. `prompt` goes on the command line, which takes about 128 KiB and no NUL. */
export interface Blanks {
  readonly prompt_file: string
  readonly prompt: string
  readonly workspace: string
}

/** One pass: braces inside a value stay as they are, and so do braces around any other word. */
export function filled(words: readonly string[], values: Blanks): string[] {
  return words.map((word) =>
    word.replaceAll(/\{(prompt_file|prompt|workspace)\}/g, (_, name: keyof Blanks) => values[name]),
  )
}

/** Where no word has a place for the prompt, it goes to stdin. */
export function namesPrompt(words: readonly string[]): boolean {
  return words.some((word) => word.includes('{prompt}') || word.includes('{prompt_file}'))
}
