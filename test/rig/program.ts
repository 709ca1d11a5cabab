// Starts the program `ralph` and follows it while it runs, or answers it at a terminal.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type Ended, RALPH, run, type Scratch } from './scratch.ts'

export interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** So far. */
  said(): Omit<Ended, 'code'>
  /** Resolves when stdout or stderr holds this. */
  saw(text: string): Promise<void>
}

export function start(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Started {
  const child = spawn(process.execPath, [RALPH, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  const seen = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
      for (const look of seen) look()
    })
  return {
    child,
    said: () => ({ ...said }),
    ended: once(child, 'close').then(([code]) => ({ code: code as number | null, ...said })),
    saw: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (said.stdout.includes(text) || said.stderr.includes(text)) resolve()
        }
        seen.add(look)
        look()
        child.once('close', () => reject(new Error(`it ended without saying '${text}': ${said.stdout}${said.stderr}`)))
      }),
  }
}

/** `script` of util-linux provides a terminal; other versions take other arguments. */
export const hasScript =
  process.platform === 'linux' && spawnSync('script', ['--version'], { encoding: 'utf8' }).status === 0

/** Types the answer at a terminal. The stdout is everything that the terminal shows. */
export function atTerminal({ folder, env }: Scratch, args: readonly string[], answer: string): Ended {
  const line = [process.execPath, RALPH, ...args].map((word) => `'${word}'`).join(' ')
  return run('script', ['-qec', line, '/dev/null'], { folder, env, input: `${answer}\n` })
}
