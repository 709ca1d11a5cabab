// How sealed examples are given to Ralph for the task of a case.
import type { SealedExample } from './corpus.ts'

const TASK = 'work'

/** The lines of ralph.toml that hold them; null: this version of Ralph takes none, so they are not played. */
export function sealedSettings(examples: readonly SealedExample[]): string | null {
  const texts = examples.map((example) => JSON.stringify(JSON.stringify(example)))
  return `[sealed.${TASK}]\nexamples = [${texts.join(', ')}]\n`
}
