// Writes what was proved of a commit as a signed in-toto statement.
import { type Envelope, PAYLOAD_TYPE, signedText, statementOf } from '../../core/evidence/in-toto.ts'
import type { RepositoryPlace } from '../builds/plain-git.ts'
import type { CleanClone } from './clean-clone.ts'
import { signAsGit } from './sign.ts'
import type { CommitProof, VerifyOptions } from './verify.ts'

export interface MadeEnvelope {
  readonly envelope: Envelope
  /** Why it has no signature, in a sentence; null: it has one. */
  readonly unsigned: string | null
}

/** Null: the commit is not proved, so nothing is said of it. */
export async function inTotoEnvelope(
  { digest, platform }: Pick<CleanClone, 'digest' | 'platform'>,
  user: RepositoryPlace,
  proof: Pick<CommitProof, 'commit' | 'is' | 'evidence'>,
  probes: VerifyOptions['probes'],
): Promise<MadeEnvelope | null> {
  const { commit, is, evidence } = proof
  if (is !== 'proved' || evidence === null) return null
  const evidenceDigest = `sha256:${digest(JSON.stringify(evidence))}`
  const payload = JSON.stringify(statementOf({ commit, evidenceDigest, evidence, proved: { on: platform, probes } }))
  const signed = await signAsGit(
    user,
    signedText(payload, (text) => Buffer.byteLength(text)),
  )
  const signatures = signed.is === 'signed' ? [signed.signature] : []
  const envelope = { payloadType: PAYLOAD_TYPE, payload: Buffer.from(payload).toString('base64'), signatures } as const
  return { envelope, unsigned: unsignedText(signed) }
}

function unsignedText(signed: Awaited<ReturnType<typeof signAsGit>>): string | null {
  switch (signed.is) {
    case 'signed':
      return null
    case 'notAsked':
      return 'The statement is not signed: git signs no commits here (commit.gpgsign).'
    case 'failed':
      return `The statement is not signed: ${signed.why}.`
  }
}
