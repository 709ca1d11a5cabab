// The git dir that lies in an agent's folder: a throw-away. It borrows the engine's objects and writes none of them; what
// is committed, configured or hooked there never touches the engine's repository, and the engine never runs git in it.
import { copyFileSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommitId } from '../../core/id.ts'
import { errnoOf } from '../../process/errno.ts'
import { type Commit, writeCommit } from './commits.ts'
import type { Ground } from './ground.ts'
import type { Objects } from './objects.ts'
import type { Place } from './pool.ts'
import { removeAll } from './remove-all.ts'

const AGENT_BRANCH = 'work'

/**
 * `head`: a commit of the engine's, or one that is to be there only. Mostly synchronous inside: some 25 calls of 20 µs
 * each, where going through Node's threads would take 3 ms.
 */
export async function makeAgentGitDir(ground: Ground, place: Place, head: CommitId | Commit): Promise<void> {
  const gitDir = join(place.folder, '.git')
  const { repo, objects } = ground.paths
  await removeAll(gitDir)
  for (const folder of ['objects/info', 'refs/heads', 'info']) mkdirSync(join(gitDir, folder), { recursive: true })
  writeFileSync(join(gitDir, 'HEAD'), `ref: refs/heads/${AGENT_BRANCH}\n`)
  const own: Objects = { ...ground.objects, folder: join(gitDir, 'objects'), lasting: 'passing' }
  const commit = typeof head === 'string' ? head : await writeCommit(own, head)
  writeFileSync(join(gitDir, 'refs', 'heads', AGENT_BRANCH), `${commit}\n`)
  writeFileSync(join(gitDir, 'config'), settings(ground))
  writeFileSync(join(gitDir, 'objects', 'info', 'alternates'), `${objects}\n`)
  copyIfThere(join(repo, 'info', 'exclude'), join(gitDir, 'info', 'exclude'))
  copyIfThere(join(repo, 'shallow'), join(gitDir, 'shallow'))
  // With the times and inodes of the files, so that the first `git status` there is quick.
  copyIfThere(join(place.gitDir, 'index'), join(gitDir, 'index'))
}

function settings({ paths, objects, identity }: Ground): string {
  const ofTheDisk = readFileSync(join(paths.repo, 'config'), 'utf8')
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

/** With its time: by that of an index git tells whether a file may have changed within the same second. */
function copyIfThere(from: string, to: string): void {
  try {
    copyFileSync(from, to)
    const { atime, mtime } = statSync(from)
    utimesSync(to, atime, mtime)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}
