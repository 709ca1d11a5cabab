import { defineConfig } from 'vitest/config'

const sqlAsText = {
  name: 'sql-as-text',
  transform: (code: string, id: string) =>
    id.endsWith('.sql') ? { code: `export default ${JSON.stringify(code)}`, map: null } : null,
}

const project = (name: string, include: string[]) => ({
  plugins: [sqlAsText],
  test: { name, include, isolate: false, testTimeout: 60_000, hookTimeout: 60_000 },
})

export default defineConfig({
  test: {
    projects: [
      project('unit', ['src/**/*.test.ts']),
      project('tidy', ['test/tidy/**/*.test.ts']),
      project('whole', ['test/!(tidy)/**/*.test.ts']),
    ],
  },
})
