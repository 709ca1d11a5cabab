// Settings from the command line.
import { refuse } from '../../core/error/error.ts'
import { AFTER_THE_FILE, allKeys, type Given, type Layer, type Problem, take } from './layer.ts'
import { fromText } from './rule.ts'
import type { SettingKey } from './schema.ts'

/** `{ 'limits.max_iterations': { flag: '-n', value: '5' } }`; a text is read as the key's kind. */
export type Flags = { readonly [K in SettingKey]?: FlagValue | undefined }

interface FlagValue {
  readonly flag: string
  readonly value: string | number | boolean | readonly string[]
}

export function readFlagLayer(flags: Flags): Layer {
  const layer = { given: new Map<string, Given>(), problems: [] as Problem[] }
  const said = Object.entries(flags).filter((entry): entry is [string, FlagValue] => entry[1] !== undefined)
  if (said.length === 0) return layer
  for (const [name, { flag, value }] of said) {
    const named = allKeys.get(name)
    if (named === undefined) throw refuse('INTERNAL', { reason: `${flag} sets '${name}', which is no setting` })
    const meant = typeof value === 'string' ? fromText(named.key.rule, value) : value
    take(layer, named.key.rule, { path: named.path, value: meant, origin: `flag ${flag}`, line: AFTER_THE_FILE })
  }
  return layer
}
