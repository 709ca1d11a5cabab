// How to start this program again, from the source or from the bundle: with the file that the user's shell runs.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'

export function ownCommand(): readonly string[] {
  const here = import.meta.dirname
  const [near, far] = [join(here, '../bin/ralph.js'), join(here, '../../bin/ralph.js')]
  return [execPath, existsSync(near) ? near : far]
}
