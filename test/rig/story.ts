// The lines that a build prints, without times, commits and ids, which are new in every run.

/** A story without the times of its lines. */
export function wholeStory(stdout: string): string[] {
  return stdout.split('\n').flatMap((line) => /^\d\d:\d\d:\d\d {2}(.*)$/.exec(line)?.[1] ?? [])
}

/** The same without the run of the checks that comes first, and what came out of it: build-baseline.test.ts is about that. */
export function story(stdout: string): string[] {
  return wholeStory(stdout).filter((line, at, lines) => !isBaseline(line) && !isBaseline(lines[at - 1] ?? ''))
}

function isBaseline(line: string): boolean {
  return line.startsWith('running setup and checks on ')
}

/** Commits and ids are new each time. */
export function steady(text: string): string {
  return text
    .replaceAll(/\bb_[0-9a-z]{14,}\b/g, 'BUILD')
    .replaceAll(/\b[0-9a-f]{10,40}\b/g, 'COMMIT')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME')
}
