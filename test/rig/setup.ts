import type { Setup } from '../../src/checks/check.ts'

export function setupOf(command: string, installScripts: Setup['installScripts'] = 'run'): Setup {
  return { command, installScripts }
}
