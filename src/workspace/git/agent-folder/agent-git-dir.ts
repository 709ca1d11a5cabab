// The throw-away git dir in an agent's folder. It borrows the engine's objects and writes none of them. Commits,
// settings and hooks in it never touch the engine's repository, and the engine never runs git in it.
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CommitId } from '../../../core/values/id.ts'
import { errnoOf } from '../../../system/errno.ts'
import { type Commit, commitObject } from '../repository/commits.ts'
import type { GitContext, Identity } from '../repository/git-context.ts'
import { type ObjectFormat, pathOf } from '../objects/objects.ts'
import { removeAll } from '../../../system/remove-all.ts'
import { isReset } from './reset-folder.ts'
import type { Place } from '../repository/fast-path.ts'

const AGENT_BRANCH = 'work'

/** `head`: a commit of the engine's, or one that exists only in this git dir. */
export async function makeAgentGitDir(context: GitContext, place: Place, head: CommitId | Commit): Promise<void> {
  const gitDir = join(place.folder, '.git')
  const files = filesFor(context, place, head)
  if (!isReset(gitDir, files)) {
    await removeAll(gitDir)
    for (const [path, bytes] of files) {
      mkdirSync(dirname(join(gitDir, path)), { recursive: true })
      writeFileSync(join(gitDir, path), bytes)
    }
  }
  if (files.has('index')) takeTime(join(place.gitDir, 'index'), join(gitDir, 'index'))
}

/** Git uses the time of an index to tell whether a file may have changed within the same second. */
function takeTime(from: string, to: string): void {
  const { atime, mtime } = statSync(from)
  utimesSync(to, atime, mtime)
}

function filesFor(
  { paths, objects, identity }: GitContext,
  place: Place,
  head: CommitId | Commit,
): Map<string, Buffer> {
  const own = typeof head === 'string' ? null : commitObject(objects.format, head)
  const copies = [
    ['info/exclude', join(paths.repo, 'info', 'exclude')],
    ['shallow', join(paths.repo, 'shallow')],
    // With the times and inodes of the files, so the first `git status` there is quick.
    ['index', join(place.gitDir, 'index')],
  ] as const
  const texts = [
    ['HEAD', `ref: refs/heads/${AGENT_BRANCH}\n`],
    ['config', settings(paths.repo, objects.format, identity)],
    ['objects/info/alternates', `${paths.objects}\n`],
    [`refs/heads/${AGENT_BRANCH}`, `${own?.id ?? String(head)}\n`],
  ] as const
  return new Map([
    ...texts.map(([path, text]) => [path, Buffer.from(text)] as const),
    ...copies.flatMap(([path, from]) => contentOf(from).map((bytes) => [path, bytes] as const)),
    ...(own === null ? [] : [[pathOf({ folder: 'objects' }, own.id), own.bytes] as const]),
  ])
}

function settings(repo: string, format: ObjectFormat, { author }: Identity): string {
  const ofTheDisk = readFileSync(join(repo, 'config'), 'utf8')
  return [
    '[core]',
    `\trepositoryformatversion = ${format === 'sha1' ? 0 : 1}`,
    '\tbare = false',
    '\tlogallrefupdates = true',
    ...ofTheDisk.split('\n').filter((line) => /^\s*(filemode|symlinks|ignorecase|precomposeunicode)\s*=/.test(line)),
    ...(format === 'sha1' ? [] : ['[extensions]', `\tobjectformat = ${format}`]),
    '[user]',
    `\tname = ${quotedSetting(author.name)}`,
    `\temail = ${quotedSetting(author.email)}`,
    '[commit]',
    '\tgpgsign = false',
    '[gc]',
    '\tauto = 0',
    '',
  ].join('\n')
}

function quotedSetting(text: string): string {
  return `"${text.replaceAll(/[\0\n]/g, ' ').replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

/** None where there is no such file. */
function contentOf(path: string): Buffer[] {
  try {
    return [readFileSync(path)]
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  }
}
