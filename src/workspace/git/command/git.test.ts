import { chmod, mkdir, mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startGit } from './git.ts'
import { removeAll } from '../../../system/remove-all.ts'

/** A git that writes down the variables it is given, and what the user's shell has set. */
async function listening() {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'ralph-git-')))
  onTestFinished(() => removeAll(root))
  await mkdir(join(root, 'bin'))
  const heard = join(root, 'heard')
  await writeFile(join(root, 'bin', 'git'), `#!/bin/sh\nenv > ${heard}\n`)
  await chmod(join(root, 'bin', 'git'), 0o755)
  const elsewhere = {
    GIT_DIR: '/elsewhere/.git',
    GIT_WORK_TREE: '/elsewhere',
    GIT_INDEX_FILE: '/elsewhere/index',
    GIT_OBJECT_DIRECTORY: '/elsewhere/objects',
    GIT_ALTERNATE_OBJECT_DIRECTORIES: '/elsewhere/more',
    GIT_COMMON_DIR: '/elsewhere/common',
    GIT_NAMESPACE: 'elsewhere',
  }
  const git = startGit({ PATH: `${join(root, 'bin')}:${process.env['PATH']}`, HOME: root, ...elsewhere })
  const variables = async () => {
    const lines = (await readFile(heard, 'utf8')).split('\n')
    const named = lines.flatMap((line) => {
      const [, name = '', value = ''] =
        /^(GIT_\w*(?:DIR|DIRECTORY|DIRECTORIES|TREE|FILE|NAMESPACE))=(.*)$/.exec(line) ?? []
      return name === '' ? [] : [[name, value]]
    })
    return Object.fromEntries(named) as Record<string, string>
  }
  return { root, git, variables }
}

it.each(['engine', 'user'] as const)(
  'names every folder to a git of the %s, whatever the caller had set',
  async (whose) => {
    const { root, git, variables } = await listening()
    await git[whose](['status'], { gitDir: root })
    expect(await variables()).toEqual({
      GIT_DIR: root,
      GIT_OBJECT_DIRECTORY: `${root}/objects`,
      GIT_INDEX_FILE: `${root}/index`,
    })
    const folders = { gitDir: root, commonDir: '/common', workTree: '/tree', indexFile: '/index' }
    await git[whose](['status'], folders)
    expect(await variables()).toEqual({
      GIT_DIR: root,
      GIT_COMMON_DIR: '/common',
      GIT_OBJECT_DIRECTORY: '/common/objects',
      GIT_INDEX_FILE: '/index',
      GIT_WORK_TREE: '/tree',
    })
  },
)

it('makes a clone without any folder of the caller', async () => {
  const { root, git, variables } = await listening()
  await git.clone('/from', join(root, 'to'))
  expect(await variables()).toEqual({})
})
