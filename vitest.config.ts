import { defineConfig } from 'vitest/config'

const filesAsText = {
  name: 'files-as-text',
  transform: (code: string, id: string) =>
    /\.(sql|md)$/.test(id) ? { code: `export default ${JSON.stringify(code)}`, map: null } : null,
}

/** Rooms whose tests start many real processes; `npm run check` leaves them to `npm test`. */
const processRooms = 'src/{system,agents,workspace,checks,notify}/**/*.test.ts'

/** They measure the memory of their own process, so each has one to itself. */
const weighed = ['src/agents/*/*-agent.test.ts', 'src/agents/*/flood.test.ts', 'test/examples/*-agent.test.ts']

/** The suites of the workspace that reach its fast path; they run once more with plain git alone. */
const fastPathSuites = [
  'src/workspace/git/harvest/harvest-rules.test.ts',
  'src/workspace/git/merge/commit-to-branch.test.ts',
  'src/workspace/git/mirror/mirror.test.ts',
  'src/workspace/git/pool/{checkouts,folders}.test.ts',
  'src/workspace/git/repository/notes.test.ts',
  'src/workspace/git/tree/trees.test.ts',
]

const project = (name: string, include: string[], exclude: string[] = [], testTimeout = 60_000) => ({
  plugins: [filesAsText],
  test: { name, include, exclude, isolate: false, testTimeout, hookTimeout: 60_000 },
})

const apart = ({ plugins, test }: ReturnType<typeof project>) => ({ plugins, test: { ...test, isolate: true } })

const plainGit = ({ plugins, test }: ReturnType<typeof project>) => ({
  plugins,
  test: { ...test, env: { RALPH_TEST_FAST_PATH: 'off' } },
})

/** A whole build of a real agent takes 20 s alone, and some times that on a busy machine. */
const REAL_AGENT_MS = 300_000

export default defineConfig({
  test: {
    // Most tests wait for processes that they started: two beside each other, also where there are only two cores.
    maxWorkers: 2,
    projects: [
      project('unit', ['src/**/*.test.ts'], [processRooms]),
      project('rooms', [processRooms], weighed),
      apart(project('weighed', weighed)),
      plainGit(project('plain-git', fastPathSuites)),
      project('tidy', ['test/tidy/**/*.test.ts']),
      project('whole', ['test/!(tidy|real-agents)/**/*.test.ts'], weighed),
      // Needs programs that `npm run test:agents` installs.
      project('agents', ['test/real-agents/**/*.test.ts'], [], REAL_AGENT_MS),
    ],
  },
})
