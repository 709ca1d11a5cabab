// How this very program is started again: from the source and from the bundle alike, by the file that a user's shell runs.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'

export function ownCommand(): readonly string[] {
  const here = import.meta.dirname
  const [near, far] = [join(here, '../bin/ralph.js'), join(here, '../../bin/ralph.js')]
  return [execPath, existsSync(near) ? near : far]
}
