// Installs without the scripts of packages. Each package manager has its own option; bun reads it from a file only.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const variables = {
  npm_config_ignore_scripts: 'true',
  pnpm_config_ignore_scripts: 'true',
  YARN_ENABLE_SCRIPTS: 'false',
  YARN_IGNORE_SCRIPTS: 'true',
} as const
const line = 'ignore-scripts=true\n'

type Work<T> = (variables: Readonly<Record<string, string>>) => Promise<T>

/** Runs the work with the variables, and the file in `home`, that allow or forbid scripts. */
export async function switchingScripts<T>(home: string, scripts: 'run' | 'off', work: Work<T>): Promise<T> {
  if (scripts === 'run') return work({})
  const file = join(home, '.npmrc')
  await writeFile(file, line)
  try {
    return await work(variables)
  } finally {
    // `npm test` would obey it too, and skip pretest and posttest.
    const left = (await readFile(file, 'utf8').catch(() => line)).replace(line, '')
    if (left === '') await rm(file, { force: true })
    else await writeFile(file, left)
  }
}
