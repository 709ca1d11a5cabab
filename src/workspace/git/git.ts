// The one way in which this room starts git, and what it means when git fails.
//
// `engine`: on repositories that are ours. Nothing of the user's or the machine's settings is read, no hook runs, and the
// git dir is always named: none is ever looked for in a folder that an agent could write.
// `user`: on the user's own repository, with the user's own settings, which are trusted; hooks and daemons stay off.
import { refuse } from '../../core/error.ts'
import { outputText } from '../../process/captured.ts'
import type { Ended } from '../../process/ended.ts'
import { type Resident, startResident } from '../../process/resident.ts'
import { run } from '../../process/spawn.ts'
import { failureOf } from './git-failure.ts'

const MIB = 1024 * 1024
/** A full checkout of 50,000 files takes up to 20 s; a first fetch of a large repository takes minutes. */
const DEADLINE_MS = 30 * 60_000
/** What git may print where the caller names no other bound; 50,000 paths take some 3 MiB. */
const OUTPUT_BYTES_MAX = 256 * MIB

export interface GitCall {
  /** Where git runs; the git dir where it is not said. */
  readonly cwd?: string
  readonly gitDir: string
  readonly workTree?: string
  readonly indexFile?: string
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  /** Exit codes that are answers; any other is thrown. */
  readonly answers?: readonly number[]
  readonly deadlineMs?: number
  /** Beyond it the output is cut and git is ended. */
  readonly outputBytes?: number
}

export interface GitAnswer {
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: string
  /** It would have printed more than the bound. */
  readonly cut: boolean
}

export interface Git {
  engine(args: readonly string[], call: GitCall): Promise<GitAnswer>
  user(args: readonly string[], call: GitCall): Promise<GitAnswer>
  /** As the engine, for a command that reads question after question from its input. */
  resident(args: readonly string[], gitDir: string): Resident
}

type Environment = Readonly<Record<string, string | undefined>>

export function startGit(environment: Environment): Git {
  const path = environment['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'
  const engine = { PATH: path, ...QUIET, ...ALONE, ...asVariables({ ...HARMLESS, 'core.excludesFile': '/dev/null' }) }
  const user = { ...withoutGit(environment), ...QUIET, ...asVariables(HARMLESS) }
  return {
    engine: (args, call) => start(args, call, engine),
    user: (args, call) => start(args, call, user),
    resident: (args, gitDir) =>
      startResident({ argv: ['git', ...args], cwd: gitDir, env: { ...engine, GIT_DIR: gitDir } }),
  }
}

const QUIET = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_LITERAL_PATHSPECS: '1' }

const ALONE = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  // Refs are read as files (refs.ts); a later git may choose another form by itself.
  GIT_DEFAULT_REF_FORMAT: 'files',
}

/** Stronger than any config file: also the engine's own cannot switch these on. */
const HARMLESS = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.pager': 'cat',
  'protocol.ext.allow': 'never',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'submodule.recurse': 'false',
  // For every id it is given, git would look for refs of that name, a dozen files each.
  'core.warnAmbiguousRefs': 'false',
}

function asVariables(settings: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(settings)
  return {
    GIT_CONFIG_COUNT: String(entries.length),
    ...Object.fromEntries(
      entries.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  }
}

/** Git variables of the caller speak of another repository (a hook that runs us sets GIT_DIR), except where settings are. */
function withoutGit(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined &&
        (!entry[0].startsWith('GIT_') || /^GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)$/.test(entry[0])),
    ),
  )
}

async function start(args: readonly string[], call: GitCall, base: Record<string, string>): Promise<GitAnswer> {
  const limit = call.outputBytes ?? OUTPUT_BYTES_MAX
  const ended = await run({
    argv: ['git', ...args],
    cwd: call.cwd ?? call.gitDir,
    env: {
      ...base,
      GIT_DIR: call.gitDir,
      ...(call.workTree === undefined ? {} : { GIT_WORK_TREE: call.workTree }),
      ...(call.indexFile === undefined ? {} : { GIT_INDEX_FILE: call.indexFile }),
      ...call.env,
    },
    trust: 'tool',
    deadlineMs: call.deadlineMs ?? DEADLINE_MS,
    keep: { headBytes: limit, tailBytes: 0 },
    outputCapBytes: limit,
    ...(call.input === undefined ? {} : { input: call.input }),
  })
  const stderr = outputText(ended.stderr)
  const isAnswer = ended.how === 'exited' && [0, ...(call.answers ?? [])].includes(ended.code ?? -1)
  if (!isAnswer && ended.how !== 'flooded') throw problem(args, call, ended, stderr)
  return { code: ended.code ?? -1, stdout: ended.stdout.head, stderr, cut: ended.how === 'flooded' }
}

function problem(
  args: readonly string[],
  { gitDir, deadlineMs = DEADLINE_MS }: GitCall,
  ended: Ended,
  stderr: string,
): Error {
  if (ended.how === 'notStarted') return refuse('GIT_NOT_STARTED', { problem: ended.sentence })
  const verb = args.find((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-c') ?? ''
  if (ended.how === 'deadline') return refuse('GIT_SLOW', { verb, minutes: deadlineMs / 60_000 })
  const how = ended.how === 'exited' ? `exit code ${ended.code}` : (ended.signal ?? ended.how)
  return failureOf(verb, gitDir, stderr, how)
}
