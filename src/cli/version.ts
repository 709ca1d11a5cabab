/** From dist/ and from src/cli/ alike: the package file is above. */
function read(): string {
  // Not by an import: the bundler would move it into a file that every command loads.
  const { readFileSync } = process.getBuiltinModule('node:fs')
  for (const up of ['../package.json', '../../package.json', '../../../package.json']) {
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
