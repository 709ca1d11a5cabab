// Judges the setup and the checks on the tree that a build starts from, before any agent starts: is there a point in
// starting one? A task can fix a red test; it cannot install a missing program.
import { causeLines } from '../values/cause-lines.ts'
import { type CheckRun, isGreen } from './evidence.ts'
import { hadNothingToRun } from './nothing-to-run.ts'

export interface Baseline {
  /** The name of the tree: `HEAD`, or the build branch. */
  readonly on: string
  /** One for each check, or the setup alone where it failed. */
  readonly runs: readonly CheckRun[]
  /** The setup command; null: there is none. */
  readonly setup: string | null
  /** Milliseconds of the setup; null: it failed, or there is none. */
  readonly setupMs: number | null
  /** The files of the tree; not needed where everything is green. */
  readonly files: readonly string[]
}

export type BaselineVerdict =
  | { readonly is: 'goOn'; readonly summary: string; readonly red: readonly string[] }
  | BaselineStop

export interface BaselineStop {
  readonly is: 'stop'
  /** The problem, with the lines of the output that show it. */
  readonly error: string
  /** What to do about it. */
  readonly fix: string
}

/** Nothing of such a build could ever be merged. */
export const NO_CHECKS: BaselineStop = {
  is: 'stop',
  error: 'no check is configured, so nothing could be verified or merged',
  fix: 'Add one to [checks] in ralph.toml, for example unit = "npm test"; \'ralph init\' looks for some, and a new project names the command that it will have.',
}

export function judgeBaseline(baseline: Baseline): BaselineVerdict {
  const { on, runs, files } = baseline
  const failed = failedSetup(baseline)
  for (const run of failed === null ? runs.filter((one) => !isGreen(one)) : [failed]) {
    const program = missingProgram(run, baseline)
    if (program !== null) return programStop(run, program, on)
    if (run.how === 'notStarted' && hasManifest(files)) return unstartedStop(run, on)
    if (run.how === 'timedOut') return lateStop(run, on)
  }
  if (failed !== null && (!hadNothingToRun(failed) || hasManifest(files))) return setupStop(failed, baseline)
  return {
    is: 'goOn',
    summary: summaryOf(baseline, failed),
    red: runs.filter((run) => run !== failed && isRed(run)).map(({ name }) => name),
  }
}

/** A setup that succeeds has no run of its own. */
function failedSetup({ runs }: Baseline): CheckRun | null {
  return runs.find(({ step }) => step === 'setup') ?? null
}

// The messages of a shell, env and make for a missing program.
const notFound: readonly RegExp[] = [
  /^(?:\/\S*\/)?(?:ba|da|z|k)?sh: (?:line )?(?:\d+: )?([^\s:]+): (?:command |inaccessible or )?not found$/m,
  /^(?:\/\S*\/)?(?:ba|da|z|k)?sh: command not found: (\S+)$/m,
  /^env: ['‘"]?([^\s:'’"]+)['’"]?: No such file or directory$/m,
  /^make(?:\[\d+\])?: ([^\s:*]+): (?:No such file or directory|Command not found)$/m,
]
const COMMAND_NOT_FOUND = 127
/** make and pnpm have an exit code of their own, and repeat the one of the command. */
const PASSED_ON = /^make(?:\[\d+\])?: \*\*\* .*Error 127$|ELIFECYCLE|exit(?:ed with)?(?: code| status)? 127\b/m
const NO_MODULE = /: No module named ['"]?([\w.]+)['"]?$/m
/** Tools that are installed into a Python and never part of a project. */
const pythonTools = /^(?:pytest|tox|nox|nose2|mypy|ruff|flake8|pylint|black|coverage|pyright)$/

/**
 * The missing program, where no change of the tree could provide it. Checks find programs on PATH alone, without
 * `node_modules/.bin`; the project itself should provide a program that a script of its manifest calls.
 */
function missingProgram(run: CheckRun, { setup, files }: Baseline): string | null {
  if (run.how !== 'exited' || (run.tests !== null && !hadNothingToRun(run))) return null
  const module = NO_MODULE.exec(run.outputTail)?.[1] ?? ''
  if (setup === null && pythonTools.test(module) && commandOf(run).includes(`-m ${module}`)) return module
  if (run.exit !== COMMAND_NOT_FOUND && !(run.exit !== 0 && PASSED_ON.test(run.outputTail))) return null
  const name = notFound.map((sentence) => sentence.exec(run.outputTail)?.[1]).find((found) => found !== undefined)
  if (name === undefined) return run.exit === COMMAND_NOT_FOUND && hasManifest(files) ? commandOf(run) : null
  // A file of the project that does not exist yet.
  const isOfTree = name.includes('/') && !name.startsWith('/')
  return isOfTree && !hasManifest(files) ? null : name
}

/** As the operator wrote it: `/bin/sh -c` runs the commands. */
function commandOf({ argv }: CheckRun): string {
  return argv.at(-1) ?? ''
}

const manifest =
  /(?:^|\/)(?:package\.json|deno\.jsonc?|pyproject\.toml|setup\.(?:py|cfg)|requirements[^/]*\.txt|Pipfile|Cargo\.toml|go\.mod|Gemfile|composer\.json|pom\.xml|build\.(?:gradle(?:\.kts)?|sbt)|mix\.exs|Package\.swift|pubspec\.yaml|CMakeLists\.txt|(?:GNU)?[Mm]akefile|[^/]+\.(?:csproj|fsproj|sln|cabal|gemspec))$/

/** A tree without a manifest is a project that has not started yet. */
function hasManifest(files: readonly string[]): boolean {
  return files.some((path) => manifest.test(path))
}

function programStop(run: CheckRun, program: string, on: string): BaselineStop {
  return {
    is: 'stop',
    error: withLines(`${run.name} cannot run on ${on}, since the program '${program}' was not found`, run),
    fix: `Install '${program}' where PATH or the setup finds it, or correct what calls it.`,
  }
}

function unstartedStop(run: CheckRun, on: string): BaselineStop {
  return {
    is: 'stop',
    error: withLines(`${run.name} cannot be started on ${on}`, run),
    fix: `Correct ${run.name} in ralph.toml.`,
  }
}

function setupStop(run: CheckRun, { on, setup }: Baseline): BaselineStop {
  return {
    is: 'stop',
    error: withLines(`the setup, '${setup}', fails on ${on}${exitText(run)}`, run),
    fix: `Make '${setup}' succeed in a fresh checkout of ${on}, or correct [workspace] setup in ralph.toml.`,
  }
}

function lateStop(run: CheckRun, on: string): BaselineStop {
  const isSetup = run.name === 'setup'
  const error = `${run.name} ran into its time limit on ${on} twice, after ${seconds(run.durationMs)} each`
  return {
    is: 'stop',
    error: withLines(error, run),
    fix: isSetup
      ? 'See what it waits for, and make it faster.'
      : `See what it waits for, or raise timeout under [check.${run.name}] in ralph.toml.`,
  }
}

function withLines(sentence: string, run: CheckRun): string {
  const lines = run.report?.errors ?? run.cause ?? causeLines(run.outputTail)
  return lines.length === 0 ? sentence : `${sentence}:\n${lines.map((line) => `  ${line}`).join('\n')}`
}

function exitText({ how, exit }: Pick<CheckRun, 'how' | 'exit'>): string {
  if (how === 'exited') return exit === 0 ? '' : ` (exit ${exit ?? 'unknown'})`
  return how === 'flooded' ? ' (it prints too much)' : ' (killed by a signal)'
}

function isRed(run: CheckRun): boolean {
  return !isGreen(run) && !hadNothingToRun(run)
}

/** `setup ok (12 s), unit: 42 tests green (3 s)` */
function summaryOf({ on, runs, setupMs }: Baseline, failed: CheckRun | null): string {
  if (failed !== null) return 'the setup has nothing to install yet: this is a new project'
  const setup = setupMs === null ? [] : [`setup ok (${seconds(setupMs)})`]
  const ran = runs.filter(({ how }) => how !== 'notNeeded')
  return [...setup, ...ran.map((run) => runText(run, on)), ...ran.flatMap(rewriting)].join(', ')
}

/** A habit of the check: work that it rewrites in the same way is not held against a task. */
function rewriting({ name, wrote = [] }: CheckRun): string[] {
  const more = wrote.length - 1
  return wrote.length === 0 ? [] : [`${name} rewrites ${wrote[0]}${more > 0 ? ` and ${more} more` : ''} when it runs`]
}

function runText(run: CheckRun, on: string): string {
  const { name, tests, durationMs } = run
  if (isRed(run)) return `${name} is red on ${on}${redText(run)}`
  if (tests !== null && tests.run > 0)
    return `${name}: ${tests.run} ${tests.run === 1 ? 'test' : 'tests'} green (${seconds(durationMs)})`
  if (isGreen(run) && tests === null) return `${name}: green (${seconds(durationMs)})`
  return `${name} has ${tests === null ? 'nothing' : 'no tests'} to run yet`
}

function redText({ how, exit, tests }: CheckRun): string {
  if (tests !== null && tests.failed > 0) return `: ${tests.failed} ${tests.failed === 1 ? 'test fails' : 'tests fail'}`
  return exitText({ how, exit })
}

function seconds(ms: number): string {
  return `${ms < 950 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`
}
