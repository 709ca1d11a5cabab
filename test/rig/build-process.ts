// A project with builds in processes of their own, for tests that kill them.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as bundle } from 'esbuild'
import { inject, onTestFinished } from 'vitest'
import type { Build } from '../../src/core/builds/build.ts'
import type { Fact } from '../../src/core/fact/fact.ts'
import { engineProject, type EngineProjectOptions, type EngineProject } from './engine-project.ts'

let program: Promise<string> | null = null

/** The path of the program. Each worker of the test runner bundles it once. */
export function bundledBuild(): Promise<string> {
  program ??= bundleBuild()
  return program
}

/** Both entries in one folder: the program looks for the player beside itself. */
async function bundleBuild(): Promise<string> {
  const folder = mkdtempSync(join(inject('runFolder'), 'program-'))
  const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
  await bundle({
    entryPoints: { build: path('build-program.ts'), 'scripted-agent': path('../../src/agents/scripted/player.ts') },
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    loader: { '.sql': 'text', '.md': 'text' },
    logLevel: 'warning',
  })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(path('../../plugin'), join(folder, 'plugin'))
  return join(folder, 'build.js')
}

/** Every `.txt` is a test, green where it says `good`. This prints TAP and is much faster than a real runner. */
const CHEAP_PROJECT = {
  'start.txt': 'good\n',
  'check.sh': [
    'n=0; bad=0',
    'for file in *.txt; do',
    '  n=$((n + 1)); word=ok',
    '  grep -qx good "$file" || { word="not ok"; bad=1; }',
    '  echo "$word $n - $file"',
    'done',
    'echo "1..$n"; exit $bad',
    '',
  ].join('\n'),
}

export interface Life {
  readonly signal: NodeJS.Signals | null
  readonly facts: readonly Fact[]
  /** Null where it was killed. */
  readonly end: { readonly reason: string; readonly detail: string | null } | null
  readonly stderr: string
}

export interface Running {
  readonly pid: number
  readonly kill: () => void
  readonly life: Promise<Life>
}

export interface KillableProject extends Omit<EngineProject, 'run'> {
  readonly build: Build
  readonly run: (env?: Readonly<Record<string, string>>, heard?: (fact: Fact) => void) => Running
  readonly engineGit: (...args: string[]) => string
  readonly remove: () => void
}

export async function killableProject(program: string, story: EngineProjectOptions): Promise<KillableProject> {
  const files = { ...CHEAP_PROJECT, ...story.files }
  const engine = await engineProject({ toml: '[checks]\nunit = "sh check.sh"\n', ...story, files })
  const build = await engine.start()
  const gitDir = join(engine.folder, '.git/ralph/repo.git')
  return {
    ...engine,
    build,
    engineGit: (...args) =>
      execFileSync('git', ['--git-dir', gitDir, ...args], { env: engine.env, encoding: 'utf8', stdio: 'pipe' }).trim(),
    remove: () => {
      engine.context.store.close()
      engine.remove()
    },
    run: (env = {}, heard = () => {}) => startBuildProcess(program, engine, env, heard),
  }
}

function startBuildProcess(
  program: string,
  { folder, env: own }: EngineProject,
  env: Readonly<Record<string, string>>,
  heard: (fact: Fact) => void,
): Running {
  const child = spawn(process.execPath, [program, folder], { cwd: folder, env: { ...own, ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: unknown[] = []
  let rest = ''
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = `${rest}${text}`.split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const said = JSON.parse(part) as Fact
      lines.push(said)
      if ('type' in said) heard(said)
    }
  })
  const life = once(child, 'close').then(([, signal]): Life => {
    const isEnd = (line: unknown): line is NonNullable<Life['end']> => !('type' in (line as object))
    const end = lines.find(isEnd) ?? null
    return { signal, facts: lines.filter((line) => !isEnd(line)) as Fact[], end, stderr }
  })
  return { pid: child.pid ?? 0, kill: () => void child.kill('SIGKILL'), life }
}

/** Processes whose environment or command line names this folder. A build that ended leaves none. */
export function leftIn(folder: string): string[] {
  const left: string[] = []
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (Number(pid) === process.pid) continue
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
      if (`${environment}${command}`.includes(dirname(folder))) left.push(`${pid} ${command.replaceAll('\0', ' ')}`)
    } catch {
      // It has ended meanwhile.
    }
  }
  return left
}
