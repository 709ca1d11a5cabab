// The only place that starts git for the workspaces, and that reads its failures.
//
// `engine`: on repositories that are ours. Nothing of the user's or the machine's settings is read, and no hook runs.
// `user`: on the user's own repository, with the user's own settings, which are trusted; hooks and daemons stay off.
// Both name every folder that git works with (see core/values/git-folders.ts): it looks for none, wherever an agent could write.
import { dirname } from 'node:path'
import { refuse } from '../../../core/error/error.ts'
import { type GitFolders, gitVariables, withoutGit } from '../../../core/values/git-folders.ts'
import { outputText } from '../../../system/process/head-tail-buffer.ts'
import type { Ended } from '../../../system/process/ended.ts'
import { type LongLivedTool, startLongLivedTool } from '../../../system/long-lived-tool.ts'
import { run } from '../../../system/process/spawn.ts'
import { failureOf } from './git-failure.ts'
import type { Environment } from '../../../core/values/environment.ts'

const MIB = 1024 * 1024
/** A full checkout of 50,000 files takes up to 20 s; a first fetch of a large repository takes minutes. */
const DEADLINE_MS = 30 * 60_000
/** Output limit where the caller names none; 50,000 paths take some 3 MiB. */
const OUTPUT_BYTES_MAX = 256 * MIB

export interface GitCall extends GitFolders {
  /** Where git runs; by default the git dir. */
  readonly cwd?: string
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  /** Exit codes that are answers; every other one throws. */
  readonly answers?: readonly number[]
  readonly deadlineMs?: number
  /** Beyond this limit the output is cut and git is ended. */
  readonly outputBytes?: number
}

export interface GitAnswer {
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: string
  /** The output was longer than the limit. */
  readonly cut: boolean
}

export interface Git {
  engine(args: readonly string[], call: GitCall): Promise<GitAnswer>
  user(args: readonly string[], call: GitCall): Promise<GitAnswer>
  /** Like `engine`, for a command that reads one question after the other from its input. */
  tool(args: readonly string[], gitDir: string): LongLivedTool
  /**
   * Like `engine`: a new bare repository at `to` with everything that `from` has, sent object by object and shared with
   * nothing.
   */
  clone(from: string, to: string): Promise<void>
}

export function startGit(environment: Environment): Git {
  const path = environment['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'
  const engine = { PATH: path, ...QUIET, ...ALONE, ...asVariables({ ...HARMLESS, 'core.excludesFile': '/dev/null' }) }
  const user = { ...withoutGit(environment), ...QUIET, ...asVariables(HARMLESS) }
  return {
    engine: (args, call) => start(args, call, engine),
    user: (args, call) => start(args, call, user),
    tool: (args, gitDir) =>
      startLongLivedTool({ argv: ['git', ...args], cwd: gitDir, env: { ...engine, ...gitVariables({ gitDir }) } }),
    clone: async (from, to) => {
      await start([...CLONE, from, to], { gitDir: from, cwd: dirname(to) }, engine, {})
    },
  }
}

const QUIET = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_LITERAL_PATHSPECS: '1' }

const ALONE = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  // refs.ts reads refs as files; a later git may choose another format by default.
  GIT_DEFAULT_REF_FORMAT: 'files',
}

/** These override every config file, the engine's own included. */
const HARMLESS = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.pager': 'cat',
  'protocol.ext.allow': 'never',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'submodule.recurse': 'false',
  // For every id, git would look for refs of that name: a dozen files each.
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

/** Faults in old history that change no content; git would refuse to fetch them. */
const OLD_FAULTS = [
  'badDate',
  'badDateOverflow',
  'badEmail',
  'badFilemode',
  'badName',
  'badTimezone',
  'fullPathname',
  'missingEmail',
  'missingNameBeforeEmail',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'multipleAuthors',
  'zeroPaddedDate',
  'zeroPaddedFilemode',
]

/** Git checks every object that it receives. */
export const LOOKED_AT = [
  ...['-c', 'transfer.fsckObjects=true'],
  ...OLD_FAULTS.flatMap((fault) => ['-c', `fetch.fsck.${fault}=ignore`]),
]

/** Git links and borrows nothing: it sends each object and names it by the hash of what it sent. */
const CLONE = [...LOOKED_AT, 'clone', '--quiet', '--mirror', '--no-local', '--template=']

async function start(
  args: readonly string[],
  call: GitCall,
  base: Readonly<Record<string, string>>,
  folders: Readonly<Record<string, string>> = gitVariables(call),
): Promise<GitAnswer> {
  const limit = call.outputBytes ?? OUTPUT_BYTES_MAX
  const ended = await run({
    argv: ['git', ...args],
    cwd: call.cwd ?? call.gitDir,
    env: {
      ...base,
      ...folders,
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
