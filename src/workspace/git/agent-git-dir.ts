// The git dir that lies in an agent's folder: a throw-away. It borrows the engine's objects and writes none of them; what
// is committed, configured or hooked there never touches the engine's repository, and the engine never runs git in it.
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommitId } from '../../core/id.ts'
import { errnoOf } from '../../process/errno.ts'
import { readIfThere } from './files.ts'
import type { Ground } from './ground.ts'
import type { Place } from './pool.ts'
import { removeAll } from './remove-all.ts'

export const AGENT_BRANCH = 'work'

export async function makeAgentGitDir(ground: Ground, place: Place, head: CommitId): Promise<void> {
  const gitDir = join(place.folder, '.git')
  await removeAll(gitDir)
  await mkdir(join(gitDir, 'objects', 'info'), { recursive: true })
  await mkdir(join(gitDir, 'refs', 'heads'), { recursive: true })
  await mkdir(join(gitDir, 'info'))
  const { repo, objects } = ground.paths
  await Promise.all([
    writeFile(join(gitDir, 'HEAD'), `ref: refs/heads/${AGENT_BRANCH}\n`),
    writeFile(join(gitDir, 'refs', 'heads', AGENT_BRANCH), `${head}\n`),
    writeFile(join(gitDir, 'config'), await settings(ground)),
    writeFile(join(gitDir, 'objects', 'info', 'alternates'), `${objects}\n`),
    copyIfThere(join(repo, 'info', 'exclude'), join(gitDir, 'info', 'exclude')),
    copyIfThere(join(repo, 'shallow'), join(gitDir, 'shallow')),
    // With the times and inodes of the files, so that the first `git status` there is quick.
    copyIfThere(join(place.gitDir, 'index'), join(gitDir, 'index')),
  ])
}

async function settings({ paths, objects, identity }: Ground): Promise<string> {
  const ofTheDisk = (await readIfThere(join(paths.repo, 'config'))) ?? ''
  return [
    '[core]',
    `\trepositoryformatversion = ${objects.format === 'sha1' ? 0 : 1}`,
    '\tbare = false',
    '\tlogallrefupdates = true',
    ...ofTheDisk.split('\n').filter((line) => /^\s*(filemode|symlinks|ignorecase|precomposeunicode)\s*=/.test(line)),
    ...(objects.format === 'sha1' ? [] : ['[extensions]', `\tobjectformat = ${objects.format}`]),
    '[user]',
    `\tname = ${quoted(identity.author.name)}`,
    `\temail = ${quoted(identity.author.email)}`,
    '[commit]',
    '\tgpgsign = false',
    '[gc]',
    '\tauto = 0',
    '',
  ].join('\n')
}

function quoted(text: string): string {
  return `"${text.replaceAll(/[\0\n]/g, ' ').replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}
