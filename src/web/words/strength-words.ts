// What a green result is worth, in the words of the page.
import { Shield, ShieldAlert, ShieldCheck, ShieldX } from 'lucide-react'
import type { Strength } from '../../core/fact/strength.ts'
import type { Word } from './status-words.ts'

export const STRENGTH_WORDS: Readonly<Record<Strength, Word>> = {
  proved: { word: 'proved', tone: 'good', icon: ShieldCheck },
  kept: { word: 'kept', tone: 'quiet', icon: Shield },
  thin: { word: 'thin', tone: 'ask', icon: ShieldAlert },
  unverified: { word: 'unverified', tone: 'bad', icon: ShieldX },
}

/** The badge has the first word of the sentence already. */
export function afterBadge(strength: Strength, sentence: string): string {
  const start = `${strength}: `
  return sentence.startsWith(start) ? sentence.slice(start.length) : sentence
}
