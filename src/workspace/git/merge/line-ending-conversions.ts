// The engine takes files byte for byte. Where a repository converts line ends or encodings between tree and checkout,
// an agent would write the checkout's form, and that would be merged.
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse } from '../../../core/error/error.ts'
import type { TreeId } from '../../../core/values/id.ts'
import { readIfThere } from '../../../system/files.ts'
import { pathsOf } from '../repository/commit-trees.ts'
import type { GitContext } from '../repository/git-context.ts'
import { filesIn } from '../objects/tree-paths.ts'
import { callOn, readSettings, type UserSettings } from '../repository/user-repository.ts'

/** Refuses where the repository or the user's settings convert a file of the tree. */
export async function requireNoConversion(context: GitContext, tree: TreeId): Promise<void> {
  const files = [...filesIn(await pathsOf(context, tree))].flatMap(([path, { mode }]) =>
    mode.startsWith('100') ? [path] : [],
  )
  const own = await readIfThere(join(context.user.commonDir, 'info', 'attributes'))
  if (own === null && !files.some((path) => /(^|\/)\.gitattributes$/.test(path))) return
  const settings = await readSettings(context.git, context.user)
  const converted = (await attributesOf(context, tree, files)).flatMap((file) => {
    const conversion = conversionOf(file, settings)
    return conversion === null ? [] : [{ ...file, ...conversion }]
  })
  const sure = converted.find(({ text }) => text !== 'auto')
  const found = sure ?? (await firstText(context, tree, converted))
  if (found === undefined) return
  const path = Buffer.from(found.path, 'latin1').toString('utf8')
  throw refuse('CONVERSION_UNSUPPORTED', { path, rule: found.rule, mend: found.mend })
}

interface Attributes {
  /** In Latin-1. */
  readonly path: string
  readonly text: string
  readonly eol: string
  readonly encoding: string
}

/** Attributes as the user's git reads them from the `.gitattributes` of the tree. */
async function attributesOf(context: GitContext, tree: TreeId, files: readonly string[]): Promise<Attributes[]> {
  const { git, user, paths, objects } = context
  const indexFile = join(paths.state, `index.${randomBytes(6).toString('hex')}`)
  // The engine has the tree's objects even where the user's repository lost them.
  const call = { ...callOn(user), indexFile, env: { GIT_OBJECT_DIRECTORY: objects.folder } }
  try {
    await git.user(['read-tree', '--end-of-options', tree], call)
    const { stdout } = await git.user(['check-attr', '--cached', '-z', '--stdin', ...NAMES], {
      ...call,
      input: Buffer.from(files.map((path) => `${path}\0`).join(''), 'latin1'),
    })
    const words = stdout.toString('latin1').split('\0')
    return files.map((path, at) => {
      const [text = '', eol = '', encoding = ''] = NAMES.map((_, which) => words[(at * NAMES.length + which) * 3 + 2])
      return { path, text, eol, encoding }
    })
  } finally {
    await rm(indexFile, { force: true })
  }
}

const NAMES = ['text', 'eol', 'working-tree-encoding'] as const

interface Conversion {
  readonly rule: string
  readonly mend: string
}

const IN_ATTRIBUTES = 'give it eol=lf or -text in .gitattributes'

/** The rule that makes a file differ between checkout and tree; null where there is none. */
function conversionOf({ text, eol, encoding }: Omit<Attributes, 'path'>, settings: UserSettings): Conversion | null {
  if (!/^(unspecified|unset|set|utf-?8)$/i.test(encoding))
    return { rule: `working-tree-encoding=${encoding}`, mend: 'keep it in UTF-8, without that attribute' }
  if (text === 'unset' || eol === 'lf') return null
  if (eol === 'crlf') return { rule: 'eol=crlf', mend: IN_ATTRIBUTES }
  if (text !== 'set' && text !== 'auto') return null
  const asked = text === 'auto' ? 'text=auto' : 'text'
  const autocrlf = settings.get('core.autocrlf')?.toLowerCase() ?? ''
  if (/^(true|yes|on|1)$/.test(autocrlf))
    return {
      rule: `${asked}, and your core.autocrlf is ${autocrlf}`,
      mend: "'git config core.autocrlf input' changes that",
    }
  const isCrlf = autocrlf !== 'input' && settings.get('core.eol')?.toLowerCase() === 'crlf'
  return isCrlf ? { rule: `${asked}, and your core.eol is crlf`, mend: "'git config core.eol lf' changes that" } : null
}

const PATHS_AT_ONCE = 500

/** The first text file: with `text=auto` git converts nothing else. */
async function firstText<File extends Attributes>(
  { git, paths }: GitContext,
  tree: TreeId,
  files: readonly File[],
): Promise<File | undefined> {
  for (let at = 0; at < files.length; at += PATHS_AT_ONCE) {
    const some = files.slice(at, at + PATHS_AT_ONCE)
    const names = some.map(({ path }) => Buffer.from(path, 'latin1').toString('utf8'))
    const { stdout } = await git.engine(['grep', '-I', '-l', '-z', '-e', '', tree, '--', ...names], {
      gitDir: paths.repo,
      answers: [1],
    })
    const texts = new Set(stdout.toString('latin1').split('\0'))
    const found = some.find(({ path }) => texts.has(`${tree}:${path}`))
    if (found !== undefined) return found
  }
  return undefined
}
