import { readFileSync } from 'node:fs'

function read(): string {
  // From dist/ and from src/cli/ alike: the package file is above.
  for (const up of ['../package.json', '../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as Record<string, string>
      if (name === 'ralph-runtime' && version !== undefined) return version
    } catch {
      continue
    }
  }
  return 'unknown'
}

export const VERSION = read()
