import { type ErrorCode, refuse } from '../core/error/error.ts'

export interface NumberRule {
  /** What is said of a text that is no whole number. */
  readonly bad: ErrorCode
  readonly flag: string
  readonly min?: number
  readonly max: number
}

/** Digits only: what `Number` takes besides, such as 1e3, 0x10 or nothing at all, is a slip here. */
export function wholeNumber(text: string, { bad, flag, min = 0, max }: NumberRule): number {
  if (!/^\d+$/.test(text) || Number(text) < min) throw refuse(bad)
  if (Number(text) > max) throw refuse('NUMBER_TOO_LARGE', { flag, max })
  return Number(text)
}
