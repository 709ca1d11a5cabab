// A word with a colour and an icon. The word stays for people who see no colours.
import type { LucideIcon } from 'lucide-react'

export type Tone = 'good' | 'bad' | 'busy' | 'ask' | 'calm' | 'quiet'

const TONES: Readonly<Record<Tone, string>> = {
  good: 'bg-good-soft text-good',
  bad: 'bg-bad-soft text-bad',
  busy: 'bg-busy-soft text-busy',
  ask: 'bg-ask-soft text-ask',
  calm: 'bg-calm-soft text-calm',
  quiet: 'bg-sunken text-soft',
}

interface BadgeProps {
  readonly tone: Tone
  readonly word: string
  readonly icon?: LucideIcon
  readonly isTurning?: boolean
}

export function Badge({ tone, word, icon: Icon, isTurning = false }: BadgeProps) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {Icon !== undefined && <Icon size={12} aria-hidden className={isTurning ? 'animate-spin' : ''} />}
      {word}
    </span>
  )
}
