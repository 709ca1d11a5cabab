// The evidence of a commit as an in-toto statement (https://github.com/in-toto/attestation), for tools that know nothing
// of Ralph: what was proved, of exactly which commit and tree.
import type { RunnerIdentity } from '../test-output/runner-identity.ts'
import type { Evidence, ProgramDigest } from './evidence.ts'
import type { CommitId } from '../values/id.ts'

const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'
const PREDICATE_TYPE = 'https://www.npmjs.com/package/ralph-runtime/evidence/v1'
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json'

export interface Statement {
  readonly _type: typeof STATEMENT_TYPE
  readonly subject: readonly { readonly name: string; readonly digest: Readonly<Record<string, string>> }[]
  readonly predicateType: typeof PREDICATE_TYPE
  readonly predicate: EvidencePredicate
}

export interface EvidencePredicate {
  /** Of the JSON of `evidence`, as the commit's message names it: `sha256:…`. */
  readonly evidenceDigest: string
  readonly evidence: Evidence
  readonly toolchain: Toolchain
  /** How it was proved once more before this statement was made. */
  readonly proved: { readonly on: string; readonly probes: 'again' | 'left' }
}

/** What made the evidence, as far as it is known. */
export interface Toolchain {
  /** With a digest of each file. */
  readonly programs: readonly ProgramDigest[]
  readonly runners: readonly RunnerIdentity[]
  /** `vitest 5.1.0`, `node v24.1.0` */
  readonly versions: readonly string[]
}

export interface StatementInput extends Pick<EvidencePredicate, 'evidenceDigest' | 'evidence' | 'proved'> {
  readonly commit: CommitId
}

export function statementOf({ commit, evidenceDigest, evidence, proved }: StatementInput): Statement {
  return {
    _type: STATEMENT_TYPE,
    subject: [
      { name: 'commit', digest: { gitCommit: commit } },
      { name: 'tree', digest: { gitTree: evidence.tree } },
    ],
    predicateType: PREDICATE_TYPE,
    predicate: { evidenceDigest, evidence, toolchain: toolchainOf(evidence), proved },
  }
}

function toolchainOf({ checks }: Evidence): Toolchain {
  return {
    programs: distinct(checks.flatMap(({ toolchain = [] }) => toolchain)),
    runners: distinct(checks.flatMap(({ runner }) => runner ?? [])),
    versions: distinct(checks.flatMap(({ versions = [] }) => versions)),
  }
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

/**
 * The bytes that a signature covers, by the rules of DSSE (https://github.com/secure-systems-lab/dsse). Lengths count
 * bytes.
 */
export function signedText(payload: string, bytesOf: (text: string) => number): string {
  return `DSSEv1 ${bytesOf(PAYLOAD_TYPE)} ${PAYLOAD_TYPE} ${bytesOf(payload)} ${payload}`
}

/** A DSSE envelope. Without a signature where nobody could sign. */
export interface Envelope {
  readonly payloadType: typeof PAYLOAD_TYPE
  /** Base64 of the statement's JSON. */
  readonly payload: string
  readonly signatures: readonly EnvelopeSignature[]
}

export interface EnvelopeSignature {
  readonly keyid: string
  /** Base64 of the signature as `ssh-keygen -Y verify` or `gpg --verify` takes it, with its armour. */
  readonly sig: string
}
