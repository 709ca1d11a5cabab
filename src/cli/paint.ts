// Colour for people: only on a terminal, and not where NO_COLOR is set.
import { isatty } from 'node:tty'

const codes = { red: 31, green: 32, yellow: 33, blue: 34, dim: 2, bold: 1 } as const

export type Colour = keyof typeof codes

export function paint(colour: Colour, text: string): string {
  return isatty(1) && !process.env['NO_COLOR'] ? `\u001B[${codes[colour]}m${text}\u001B[0m` : text
}
