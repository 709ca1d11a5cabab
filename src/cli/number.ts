import { type ErrorCode, refuse } from '../core/error/error.ts'

export interface NumberRule {
  /** The error for a text that is no whole number. */
  readonly bad: ErrorCode
  readonly flag: string
  readonly min?: number
  readonly max: number
}

/** Accepts digits only: 1e3, 0x10 or an empty text, which `Number` accepts, are mistakes here. */
export function wholeNumber(text: string, { bad, flag, min = 0, max }: NumberRule): number {
  if (!/^\d+$/.test(text) || Number(text) < min) throw refuse(bad)
  if (Number(text) > max) throw refuse('NUMBER_TOO_LARGE', { flag, max })
  return Number(text)
}
