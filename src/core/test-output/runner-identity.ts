// Which test runner judged: another one than on the base may judge otherwise, so somebody has to look.

export interface RunnerIdentity {
  /** `vitest`; `vitest + pytest` where a check starts several. */
  readonly name: string
  /** Null: it is not known. */
  readonly version: string | null
  /** The integrity of its package in the lockfile, or `sha256:…` of the program's file; null: it was not found. */
  readonly digest: string | null
}

/** Of a run of a check. */
export interface IdentifiedRun {
  readonly name: string
  readonly checkHash: string
  readonly runner?: RunnerIdentity
  readonly testsFrom?: 'channel' | 'output'
}

export interface RunnerFinding {
  readonly check: string
  readonly what: string
}

export function runnerFindings(base: readonly IdentifiedRun[], now: readonly IdentifiedRun[]): RunnerFinding[] {
  return now.flatMap((run) => {
    const before = base.find(({ checkHash }) => checkHash === run.checkHash)
    const what = before === undefined ? null : differenceOf(before, run)
    return what === null ? [] : [{ check: run.name, what }]
  })
}

function differenceOf(before: IdentifiedRun, now: IdentifiedRun): string | null {
  if (before.runner === undefined) return reportLost(before, now)
  if (now.runner === undefined) return `it ran ${before.runner.name} on the base, and no runner that Ralph knows now`
  if (now.runner.name !== before.runner.name)
    return `it runs ${now.runner.name} now, and ran ${before.runner.name} on the base`
  if (now.runner.digest === before.runner.digest && now.runner.version === before.runner.version)
    return reportLost(before, now)
  return `it runs another ${now.runner.name} than on the base: ${shown(before.runner)} there, ${shown(now.runner)} now`
}

function reportLost(before: IdentifiedRun, now: IdentifiedRun): string | null {
  if (before.testsFrom !== 'channel' || now.testsFrom !== 'output') return null
  return 'its tests were reported by their runner on the base, and are known only from what the check prints now'
}

const DIGEST_SHOWN = 19

function shown({ version, digest }: RunnerIdentity): string {
  const short = digest === null ? 'not found' : `${digest.slice(0, DIGEST_SHOWN)}…`
  return version === null ? short : `${version} (${short})`
}
