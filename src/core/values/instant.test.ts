import { describe, expect, it } from 'vitest'
import { formatInstant } from './instant.ts'

describe('formatInstant', () => {
  it.each<[at: number, text: string]>([
    [0, '1970-01-01 00:00:00'],
    [999, '1970-01-01 00:00:00'],
    [-1, '1969-12-31 23:59:59'],
    [Date.UTC(2024, 1, 29, 23, 59, 59, 999), '2024-02-29 23:59:59'],
    [Date.UTC(9999, 11, 31, 23, 59, 59), '9999-12-31 23:59:59'],
    [Date.UTC(33_658, 8, 27, 1, 46, 40), '+033658-09-27 01:46:40'],
  ])('%i', (at, text) => {
    expect(formatInstant(at)).toBe(text)
  })
})
