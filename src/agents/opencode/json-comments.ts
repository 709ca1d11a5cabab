// Converts JSON with comments and trailing commas, which opencode accepts, to JSON.

export function withoutComments(text: string): string {
  // A string is passed over whole; in it, neither is what it looks like.
  const string = String.raw`"(?:[^"\\]|\\.)*"`
  return text
    .replaceAll(new RegExp(String.raw`${string}|\/\/[^\n]*|\/\*[^]*?\*\/`, 'g'), (found) =>
      found.startsWith('"') ? found : ' ',
    )
    .replaceAll(new RegExp(String.raw`${string}|,(?=\s*[}\]])`, 'g'), (found) => (found === ',' ? '' : found))
}
