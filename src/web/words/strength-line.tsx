// What a green result is worth: a badge and the sentence behind it.
import type { Strength } from '../../core/fact/strength.ts'
import { afterBadge, STRENGTH_WORDS } from './strength-words.ts'
import { Badge } from '../parts/badge.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'

interface StrengthProps {
  readonly strength: Strength | null
  readonly sentence: string | null
  /** One line, cut where it is too long. */
  readonly isShort?: boolean
}

export function StrengthLine({ strength, sentence, isShort = false }: StrengthProps) {
  if (strength === null) return null
  return (
    <span className={`flex items-baseline gap-x-2 gap-y-1 ${isShort ? 'min-w-0' : 'flex-wrap'}`}>
      <span className="shrink-0">
        <Badge {...STRENGTH_WORDS[strength]} />
      </span>
      {sentence !== null && (
        <span
          className={isShort ? 'min-w-0 truncate' : 'min-w-0 flex-1 basis-64'}
          title={isShort ? sentence : undefined}
        >
          <ForeignText text={afterBadge(strength, sentence)} className={isShort ? 'whitespace-nowrap' : ''} />
        </span>
      )}
    </span>
  )
}
