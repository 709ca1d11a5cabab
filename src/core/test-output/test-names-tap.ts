// TAP: numbered points; those of a group are further in, and their group's own point comes after them.
import type { NameReader, Tell } from './test-names.ts'

export function startTapNames(tell: Tell, group: () => void): NameReader {
  const names: string[] = []
  let depth = 0
  let hasChildren = false
  return {
    line: (text) => {
      const [, indent = '', title] = /^( *)# Subtest: (.*)$/.exec(text) ?? []
      if (title !== undefined) {
        names.length = Math.floor(indent.length / 4)
        names.push(title)
        return
      }
      const [, space = '', not, rest = ''] = /^( *)(not )?ok \d+(?: (.*))?$/.exec(text) ?? []
      if (!/^ *(?:not )?ok \d/.test(text)) return
      const at = Math.floor(space.length / 4)
      hasChildren = at < depth
      depth = at
      const name = rest
        .replace(/^- /, '')
        .replace(/ # (?:skip|todo)\b.*$/i, '')
        .replace(/ # time=.*$/, '')
      if (hasChildren || rest.endsWith(' {')) return group()
      const chain = [...names.slice(0, at), name].join(' > ')
      if (/(?:^| )# (?:skip|todo)\b/i.test(rest)) return tell('skipped', chain)
      return tell(not === undefined ? 'passed' : 'failed', chain)
    },
    end: () => {},
  }
}
