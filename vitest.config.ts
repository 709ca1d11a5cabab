import { defineConfig } from 'vitest/config'

const filesAsText = {
  name: 'files-as-text',
  transform: (code: string, id: string) =>
    /\.(sql|md)$/.test(id) ? { code: `export default ${JSON.stringify(code)}`, map: null } : null,
}

/** Rooms whose tests start many real processes; `npm run check` leaves them to `npm test`. */
const processRooms = 'src/{process,agents,workspace,checks,notify}/**/*.test.ts'

const project = (name: string, include: string[], exclude: string[] = []) => ({
  plugins: [filesAsText],
  test: { name, include, exclude, isolate: false, testTimeout: 60_000, hookTimeout: 60_000 },
})

export default defineConfig({
  test: {
    projects: [
      project('unit', ['src/**/*.test.ts'], [processRooms]),
      project('rooms', [processRooms]),
      project('tidy', ['test/tidy/**/*.test.ts']),
      project('whole', ['test/!(tidy)/**/*.test.ts']),
    ],
  },
})
