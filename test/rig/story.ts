// The lines that a build prints, without times, commits and ids, which are new in every run.

/** The lines without their times. */
export function wholeStory(stdout: string): string[] {
  return stdout.split('\n').flatMap((line) => /^\d\d:\d\d:\d\d {2}(.*)$/.exec(line)?.[1] ?? [])
}

/** Leaves out the first run of the checks and its result: build-baseline.test.ts covers them. */
export function story(stdout: string): string[] {
  return wholeStory(stdout).filter((line, at, lines) => !isBaseline(line) && !isBaseline(lines[at - 1] ?? ''))
}

function isBaseline(line: string): boolean {
  return line.startsWith('running setup and checks on ')
}

/** Replaces commits, ids and times, which are new each time. */
export function steady(text: string): string {
  return text
    .replaceAll(/\bb_[0-9a-z]{14,}\b/g, 'BUILD')
    .replaceAll(/\b[0-9a-f]{10,40}\b/g, 'COMMIT')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME')
}
