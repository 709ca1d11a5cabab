// The title of a test in its source, and the name that a runner gives it.

/** A runner puts the names of file and groups before the title. */
export function isTitleOf(title: string, name: string): boolean {
  return name === title || (name.endsWith(title) && /[\s>:.›/]$/.test(name.slice(0, -title.length)))
}
