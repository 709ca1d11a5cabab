// Splits a command line into words without a shell: spaces separate, quotes keep together, nothing is expanded.

/** null where a quote does not end. */
export function splitWords(line: string): readonly string[] | null {
  const words: string[] = []
  // One piece of a word: in single quotes, in double quotes, one escaped letter, or plain; a space ends the word.
  const piece = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\]+)|(\s+)/y
  let word: string | null = null
  while (piece.lastIndex < line.length) {
    const match = piece.exec(line)
    if (match === null) return null
    const [, single, double, escaped, plain, space] = match
    if (space === undefined) word = (word ?? '') + (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain)
    else if (word !== null) {
      words.push(word)
      word = null
    }
  }
  return word === null ? words : [...words, word]
}
