// The refs still to bring into the user's repository, and the commits known to be there.
import type { BuildId, CommitId } from '../../../core/values/id.ts'

/** A ref of the user's repository and its commit. */
export interface Standing {
  readonly name: string
  readonly to: CommitId
}

export class MirrorState {
  /** Refs that this process has moved since they were last mirrored. */
  readonly #moved = new Set<string>()
  /** Commits of a build, by ref, that the user's repository has completely. */
  readonly #mirrored = new Map<BuildId, Map<string, CommitId>>()

  readonly #notesRef: string

  constructor(notesRef: string) {
    this.#notesRef = notesRef
  }

  moved(...names: readonly string[]): void {
    for (const name of names) this.#moved.add(name)
  }

  /** A ref that moves again while it is mirrored is taken the next time. */
  takeMoved(isWanted: (name: string) => boolean): string[] {
    const names = [...this.#moved].filter(isWanted)
    for (const name of names) this.#moved.delete(name)
    return names
  }

  mirroredOf(build: BuildId): ReadonlyMap<string, CommitId> | null {
    return this.#mirrored.get(build) ?? null
  }

  mirrored(build: BuildId, standings: readonly Standing[]): void {
    const its = this.#mirrored.get(build) ?? new Map<string, CommitId>()
    for (const { name, to } of standings) its.set(name, to)
    this.#mirrored.set(build, its)
    // All builds write the same notes.
    const notes = standings.find(({ name }) => name === this.#notesRef)?.to
    if (notes !== undefined) for (const each of this.#mirrored.values()) each.set(this.#notesRef, notes)
  }

  forget(build: BuildId): void {
    this.#mirrored.delete(build)
  }
}
