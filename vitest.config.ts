import { defineConfig } from 'vitest/config'

const filesAsText = {
  name: 'files-as-text',
  transform: (code: string, id: string) =>
    /\.(sql|md)$/.test(id) ? { code: `export default ${JSON.stringify(code)}`, map: null } : null,
}

const project = (name: string, include: string[]) => ({
  plugins: [filesAsText],
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
