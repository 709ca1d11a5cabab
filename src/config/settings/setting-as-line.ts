// The kinds of text in a setting: the form of each, and the message for a wrong one.
import { shownValue } from './toml-text.ts'

const TEXT_LENGTH_MAX = 4096

interface LineForm {
  readonly says: string
  readonly fits: (text: string) => boolean
  /** The value may contain a secret, so a message never repeats it. */
  readonly secret?: true
}

// C0 controls and DEL; a command may hold tabs and new lines, nothing may hold a NUL.
const control = /\p{Cc}/u

function isInside(path: string): boolean {
  const absolute = path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:/.test(path)
  return !absolute && !path.includes('\\') && !control.test(path) && !path.split('/').includes('..')
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

/** The rules of `git check-ref-format --branch` that people run into. */
function isBranch(text: string): boolean {
  const torn = /[\s\p{C}~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|[/.]$|\.lock$/u
  return text !== '' && !torn.test(text) && !text.split('/').some((part) => part.startsWith('.'))
}

const lineForms = {
  command: { says: 'a command', fits: (text) => text.trim() !== '' && !text.includes('\0') },
  argument: { says: 'a text without NUL', fits: (text) => !text.includes('\0') },
  model: { says: 'the name of a model, without white space', fits: (text) => /^[^\s\p{C}]+$/u.test(text) },
  address: { says: 'an address that starts with http:// or https://', fits: isWebAddress, secret: true },
  branch: { says: 'the name of a branch', fits: isBranch },
  path: { says: 'a path inside the repository, relative to its root', fits: (text) => text !== '' && isInside(text) },
  file: { says: 'the path of a file', fits: (text) => text.trim() !== '' && !control.test(text) },
  variable: { says: 'the name of an environment variable', fits: (text) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) },
} as const satisfies Record<string, LineForm>

export type LineFormName = keyof typeof lineForms

/** The fault of a text, as the end of a sentence that starts with the key; null where there is none. */
export function misfit(form: LineFormName, text: string): string | null {
  if (text.length > TEXT_LENGTH_MAX) return `must be at most ${TEXT_LENGTH_MAX} characters long, not ${text.length}`
  const { says, fits, ...rest }: LineForm = lineForms[form]
  if (fits(text)) return null
  return rest.secret ? `must be ${says}` : `must be ${says}, not ${shownValue(text)}`
}
