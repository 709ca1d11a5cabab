// Tells whether an object's content matches its name. Git does not check when it reads a file or a folder of a tree,
// and an agent can overwrite an object: the alternates of its own git dir show where the objects are.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { damagedObject } from '../../../core/error/damaged-object.ts'
import { type RalphError, refuse } from '../../../core/error/error.ts'
import { isNamedRightly, readBatch } from '../objects/batch.ts'
import { failureOf } from '../command/git-failure.ts'
import type { GitContext } from './git-context.ts'

/** Names in one question: they wait in a pipe of 64 KiB while git prints. */
const ASKED_MAX = 256

/** Objects of any kind. Throws where one is missing or damaged, as git would read it now. */
export async function requireIntact(context: GitContext, ids: Iterable<string>): Promise<void> {
  const wanted = [...new Set(ids)]
  // Git looks in packs first.
  const packsAt = timeOfPacks(context)
  const rest = packsAt === null ? wanted.filter((id) => context.fast.readObject(context.objects, id) === null) : wanted
  for (let at = 0; at < rest.length; at += ASKED_MAX)
    await requireRead(context, rest.slice(at, at + ASKED_MAX), packsAt)
}

/** Null where there is no pack. */
function timeOfPacks({ objects }: GitContext): number | null {
  const folder = join(objects.folder, 'pack')
  const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? {}
  if (mtimeMs === undefined || !readdirSync(folder).some((name) => name.endsWith('.idx'))) return null
  return mtimeMs
}

async function requireRead(context: GitContext, ids: readonly string[], packsAt: number | null): Promise<void> {
  const answer = await context.reader.read(ids, packsAt ?? 0)
  const found = answer === null ? [] : readBatch(answer)
  const isWhole = found.length === ids.length && found.every((object, at) => object?.id === ids[at])
  if (!isWhole) return requireByGit(context, ids)
  for (const object of found)
    if (object !== null && !isNamedRightly(context.objects.format, object)) throw await damagedError(context, object.id)
}

const VERIFY = ['rev-list', '--objects', '--no-walk', '--verify-objects', '--stdin']

/** However large the objects are. */
async function requireByGit(context: GitContext, ids: readonly string[]): Promise<void> {
  const { git, paths } = context
  const input = ids.map((id) => `${id}\n`).join('')
  const { code, stderr } = await git.engine(VERIFY, { gitDir: paths.repo, input, answers: [1, 128] })
  const object = damagedObject(stderr)
  if (object !== null) throw await damagedError(context, object)
  if (code !== 0) throw failureOf('rev-list', paths.repo, stderr, `exit code ${code}`)
}

/** For an object of the engine's; the user's own repository may share its file. */
export async function damagedError({ git, paths, user }: GitContext, object: string): Promise<RalphError> {
  const theirs = await git.user(VERIFY, { gitDir: user.commonDir, input: `${object}\n`, answers: [1, 128] })
  const isTheirsToo = damagedObject(theirs.stderr) === object
  const where = isTheirsToo ? `your repository ${user.commonDir} and in ${paths.repo}` : paths.repo
  return refuse('OBJECT_DAMAGED', { object, where })
}
