// npm, pnpm, yarn or bun: package.json's `packageManager` decides, else the lockfile, else npm.
import type { ProjectFiles } from './project-files.ts'

export interface PackageTool {
  /** Runs a script of package.json. */
  readonly run: (script: string) => string
  /** Runs a program of an installed package. */
  readonly exec: (command: string) => string
  readonly install: string
  /** Installs exactly what the lockfile says. */
  readonly frozenInstall: string
  /** Its lockfile in this project. */
  readonly lockfile: string | null
}

type Name = 'npm' | 'pnpm' | 'yarn' | 'bun'

const lockfiles: Readonly<Record<Name, readonly string[]>> = {
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
}

export async function packageToolOf(files: ProjectFiles, declared: string | null): Promise<PackageTool> {
  const lockfile = await lockfileOf(files, declaredName(declared))
  const name = declaredName(declared) ?? lockfile?.name ?? 'npm'
  // Yarn from version 2 on refuses the flag that version 1 needs.
  const classicYarn = name === 'yarn' && !/^yarn@[2-9]/.test(declared ?? '') && !(await files.has('.yarnrc.yml'))
  return { ...tools[name], ...(classicYarn ? classicYarnInstall : {}), lockfile: lockfile?.file ?? null }
}

function declaredName(declared: string | null): Name | null {
  const name = declared?.split('@')[0]
  return name !== undefined && Object.hasOwn(lockfiles, name) ? (name as Name) : null
}

async function lockfileOf(files: ProjectFiles, only: Name | null): Promise<{ name: Name; file: string } | null> {
  for (const name of Object.keys(lockfiles) as Name[]) {
    if (only !== null && name !== only) continue
    for (const file of lockfiles[name]) if (await files.has(file)) return { name, file }
  }
  return null
}

const tools: Readonly<Record<Name, Omit<PackageTool, 'lockfile'>>> = {
  npm: {
    run: (script) => (script === 'test' ? 'npm test' : `npm run ${script}`),
    exec: (command) => `npx ${command}`,
    install: 'npm install',
    frozenInstall: 'npm ci',
  },
  pnpm: {
    run: (script) => `pnpm run ${script}`,
    exec: (command) => `pnpm exec ${command}`,
    install: 'pnpm install',
    frozenInstall: 'pnpm install --frozen-lockfile',
  },
  yarn: {
    run: (script) => `yarn run ${script}`,
    exec: (command) => `yarn run ${command}`,
    install: 'yarn install',
    frozenInstall: 'yarn install --immutable',
  },
  bun: {
    // `bun test` would be bun's own test runner, not the script.
    run: (script) => `bun run ${script}`,
    exec: (command) => `bunx ${command}`,
    install: 'bun install',
    frozenInstall: 'bun install --frozen-lockfile',
  },
}

const classicYarnInstall = { frozenInstall: 'yarn install --frozen-lockfile' }
