// Whether a check had nothing to check: a new project has no tests, and usually not even a runner.
import { type CheckRun, isGreen } from './evidence.ts'

// The messages of tools where there is no project yet: no manifest, no script, no program, no source file. A test that
// fails because something is missing prints other messages.
const nothingHere: readonly RegExp[] = [
  /Could not read package\.json|can only install with an existing package-lock|Missing script: /,
  /ERR_PNPM_NO_(?:IMPORTER_MANIFEST_FOUND|PKG_MANIFEST|SCRIPT|LOCKFILE)|Couldn't find a (?:package\.json|script named)/,
  /Command "[^"]*" not found|Script not found "|error: No package\.json/,
  /npx canceled due to missing packages|could not determine executable to run/,
  /Cannot find module '[^']*'[^]*requireStack: \[\]/,
  /error TS(?:18003|5058|5057|6053):|This is not the tsc command you are looking for/,
  /couldn't find an eslint\.config|No files matching the pattern/,
  /Could not open requirements file|No `?pyproject\.toml`? found|could not find a pyproject\.toml|: No module named [\w.]+$/m,
  /file or directory not found: |can't open file '[^']*': \[Errno 2\]/,
  /could not find `Cargo\.toml`|cannot find main module|go\.mod file not found|no Go files in|matched no packages/,
  /No rule to make target|no makefile found|Could not locate Gemfile/i,
]

const COMMAND_NOT_FOUND = 127

export function hadNothingToRun(run: CheckRun): boolean {
  if (run.tests !== null) return run.tests.run + run.tests.failed + run.tests.skipped === 0
  if (isGreen(run)) return false
  if (run.how === 'notStarted') return true
  const said = [...(run.cause ?? []), run.outputTail].join('\n')
  return run.how === 'exited' && (run.exit === COMMAND_NOT_FOUND || nothingHere.some((sentence) => sentence.test(said)))
}
