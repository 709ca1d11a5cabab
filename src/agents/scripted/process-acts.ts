import { devNull } from 'node:os'
import { dirname } from 'node:path'
import { outputText } from '../../system/process/head-tail-buffer.ts'
import { type Command, shell } from '../../system/process/command.ts'
import { run, start } from '../../system/process/spawn.ts'
import type { StepValue } from './scenario.ts'
import type { Acts, Stage } from './player-context.ts'

const DAY_MS = 86_400_000

export const processActs: Acts<'run' | 'commit' | 'leaveChild'> = {
  run: (words, stage) => {
    const argv = typeof words === 'string' ? shell(words) : words
    return useTool('run', argv, stage)
  },
  commit: async ({ message }, stage) => {
    await useTool('git', ['git', 'add', '--all'], stage)
    await useTool('git', ['git', 'commit', '--quiet', '--allow-empty', '-m', message], stage)
  },
  leaveChild: async (how, { voice }) => voice.event({ type: 'text', text: `left process ${await leaveChild(how)}` }),
}

/** As agents do: what a tool answers is read, and a tool that fails is no reason to stop. */
async function useTool(tool: string, argv: readonly string[], { voice, folder }: Stage): Promise<void> {
  voice.event({ type: 'toolUse', tool, input: argv.join(' ') })
  const ended = await run(tamed(argv, folder))
  const output = `${outputText(ended.stdout)}${outputText(ended.stderr)}`
  voice.event({ type: 'toolResult', tool, output, isError: ended.code !== 0 })
}

/** The user's own git settings (signing, hooks) are not the script's; `trust` leaves no watch process beside ours. */
function tamed(argv: readonly string[], cwd: string): Command {
  const git = {
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    // A folder without a repository must not mean the one around it.
    GIT_CEILING_DIRECTORIES: dirname(cwd),
    GIT_AUTHOR_NAME: 'scripted',
    GIT_AUTHOR_EMAIL: 'scripted@localhost',
    GIT_COMMITTER_NAME: 'scripted',
    GIT_COMMITTER_EMAIL: 'scripted@localhost',
  }
  const own = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { argv, cwd, env: { ...git, ...Object.fromEntries(own) }, deadlineMs: DAY_MS, trust: 'tool' }
}

/** In a session of its own, so that only its marker tells whose it is. Said when it holds and ignores what it is to. */
async function leaveChild({ holdOutput = false, ignoreSigterm = false }: StepValue<'leaveChild'>): Promise<number> {
  const trap = ignoreSigterm ? `trap '' TERM HUP; ` : ''
  // The pipe we print to can be opened by name: then it stays open when we are gone.
  const hold = holdOutput ? `exec 3> /proc/${process.pid}/fd/1; ` : ''
  const { promise: ready, resolve: onOutput } = Promise.withResolvers<void>()
  const command = tamed(shell(`${trap}${hold}echo ready; while :; do sleep 1000; done`), '/')
  const { pid, ended } = start({ ...command, onOutput: () => onOutput() })
  // Our children would end with us; a careless agent has no such habit.
  process.removeAllListeners('exit')
  await Promise.race([ready, ended])
  if (pid === null) throw new Error('no child could be started')
  return pid
}
