// Signs a text with the key that git signs commits with, by the same programs and settings.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EnvelopeSignature } from '../../core/evidence/in-toto.ts'
import { askGit, callProgram, type RepositoryPlace } from '../builds/plain-git.ts'

/** Time for a person to type a passphrase or to touch a token. */
const LIMIT_MS = 5 * 60_000

/** So that a signature of a statement never passes for one of a commit. */
const SSH_NAMESPACE = 'in-toto'

export type Signed =
  | { readonly is: 'signed'; readonly signature: EnvelopeSignature }
  /** Git signs no commits here. */
  | { readonly is: 'notAsked' }
  | { readonly is: 'failed'; readonly why: string }

/** `user`: their own repository, with their own settings of git. */
export async function signAsGit(user: RepositoryPlace, text: string): Promise<Signed> {
  if ((await setting(user, '--type=bool', 'commit.gpgsign')) !== 'true') return { is: 'notAsked' }
  const format = (await setting(user, 'gpg.format')) ?? 'openpgp'
  const folder = await mkdtemp(join(tmpdir(), 'ralph-sign-'))
  try {
    const file = join(folder, 'text')
    writeFileSync(file, text)
    const made = format === 'ssh' ? await bySsh(user, folder, file) : await byGpg(user, format, file)
    if ('why' in made) return { is: 'failed', why: made.why }
    const sig = readFileSync(`${file}.sig`).toString('base64')
    return { is: 'signed', signature: { keyid: made.keyid, sig } }
  } catch (error) {
    return { is: 'failed', why: error instanceof Error ? error.message : String(error) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Made = { readonly keyid: string } | { readonly why: string }

async function bySsh(user: RepositoryPlace, folder: string, file: string): Promise<Made> {
  const key = (await setting(user, 'user.signingkey')) ?? (await defaultSshKey(user))
  if (key === null) return { why: 'user.signingkey names no key' }
  const program = (await setting(user, 'gpg.ssh.program')) ?? 'ssh-keygen'
  const literal = literalKey(key)
  const path = literal === null ? inHome(user, key) : join(folder, 'key')
  if (literal !== null) writeFileSync(path, `${literal}\n`, { mode: 0o600 })
  else if (!existsSync(path)) return { why: `the key ${key} was not found` }
  const agent = literal === null ? [] : ['-U']
  const signed = await callProgram(
    user,
    [program, '-Y', 'sign', '-n', SSH_NAMESPACE, '-f', path, ...agent, file],
    LIMIT_MS,
  )
  if (signed.code !== 0) return { why: `${program}: ${lastLine(signed.stderr)}` }
  const shown = await callProgram(user, [program, '-l', '-f', path])
  return { keyid: /\bSHA256:\S+/.exec(shown.stdout)?.[0] ?? key }
}

/** Without a key in the settings, gpg takes the one of the committer, as with git. */
async function byGpg(user: RepositoryPlace, format: string, file: string): Promise<Made> {
  const isX509 = format === 'x509'
  const program =
    (await setting(user, isX509 ? 'gpg.x509.program' : 'gpg.openpgp.program')) ??
    (isX509 ? null : await setting(user, 'gpg.program')) ??
    (isX509 ? 'gpgsm' : 'gpg')
  const key = (await setting(user, 'user.signingkey')) ?? (await setting(user, 'user.email'))
  if (key === null) return { why: 'user.signingkey names no key' }
  const args = ['--armor', '--detach-sign', '--local-user', key, '--output', `${file}.sig`, file]
  const signed = await callProgram(user, [program, ...args], LIMIT_MS)
  return signed.code === 0 ? { keyid: key } : { why: `${program}: ${lastLine(signed.stderr)}` }
}

async function setting(user: RepositoryPlace, ...name: readonly string[]): Promise<string | null> {
  const { code, stdout } = await askGit(user, ['config', '--get', ...name])
  return code === 0 && stdout !== '' ? stdout : null
}

async function defaultSshKey(user: RepositoryPlace): Promise<string | null> {
  const command = await setting(user, 'gpg.ssh.defaultKeyCommand')
  if (command === null) return null
  const { code, stdout } = await callProgram(user, ['sh', '-c', command])
  return code === 0 ? (stdout.split('\n', 1)[0] ?? null) : null
}

/** The public key itself instead of a file with it; the agent holds the private one. */
function literalKey(key: string): string | null {
  if (key.startsWith('key::')) return key.slice('key::'.length)
  return key.startsWith('ssh-') ? key : null
}

function inHome({ env, folder }: RepositoryPlace, path: string): string {
  if (path.startsWith('~/')) return join(env['HOME'] ?? homedir(), path.slice(2))
  return path.startsWith('/') ? path : join(folder, path)
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}
