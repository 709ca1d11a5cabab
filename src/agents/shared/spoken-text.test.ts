import { expect, it } from 'vitest'
import { spokenText } from './spoken-text.ts'

const texts = (events: readonly { type: string }[]): unknown[] => events.map((event) => 'text' in event && event.text)

it('shows lines when they are whole, and what is left at the end', () => {
  const words = spokenText('text')
  const shown = ['Hel', 'lo.\n\nI l', 'ook', '', '.\nSo'].map((bit) => texts(words.add(bit)))
  expect(shown).toEqual([[], ['Hello.'], [], [], ['I look.']])
  expect(texts(words.end())).toEqual(['So'])
  expect(texts(words.end())).toEqual([])
  expect(words.finalMessage()).toBe('Hello.\n\nI look.\nSo')
})

it('keeps the last message that said anything', () => {
  const words = spokenText('text')
  expect(words.finalMessage()).toBe('')
  words.add('one')
  words.end()
  words.add('two')
  words.end()
  words.add('\n')
  words.end()
  expect(words.finalMessage()).toBe('two')
})

it('holds no more than 64 KiB of a line, and of a message its beginning and end', () => {
  const words = spokenText('thinking')
  const bit = 'x'.repeat(50_000)
  expect(texts(words.add(bit))).toEqual([])
  expect(texts(words.add(bit))).toEqual([bit + bit])
  for (let at = 0; at < 20; at += 1) words.add(bit)
  words.add('\nthe end')
  expect(words.finalMessage().length).toBeLessThan(300_000)
  expect(words.finalMessage().endsWith('the end')).toBe(true)
})
