// What a green result is worth, in the words of the page.
import { Shield, ShieldAlert, ShieldCheck, ShieldX } from 'lucide-react'
import type { Strength } from '../../core/fact/strength.ts'
import { shortSentence } from '../../core/probes/report/probe-text.ts'
import type { Word } from './status-words.ts'

export const STRENGTH_WORDS: Readonly<Record<Strength, Word>> = {
  proved: { word: 'proved', tone: 'good', icon: ShieldCheck },
  kept: { word: 'kept', tone: 'quiet', icon: Shield },
  thin: { word: 'thin', tone: 'ask', icon: ShieldAlert },
  unverified: { word: 'unverified', tone: 'bad', icon: ShieldX },
}

/** The badge has the first word of the sentence already, and the list below it what nobody noticed. */
export function afterBadge(strength: Strength, sentence: string): string {
  const start = `${strength}: `
  const short = shortSentence(sentence)
  return short.startsWith(start) ? short.slice(start.length) : short
}
