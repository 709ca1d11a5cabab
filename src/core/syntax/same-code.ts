// Whether a change leaves the program as it is.
import { isScript } from './languages.ts'
import { normalForm } from './normal-form.ts'
import type { Source } from './syntax-tree.ts'

/** The same after comments, white space, types and the choices of a formatter are taken away. */
export function isSameCode(a: Source, b: Source): boolean {
  if (a.language !== b.language && !(isScript(a.language) && isScript(b.language))) return false
  return a.text === b.text || normalForm(a) === normalForm(b)
}
