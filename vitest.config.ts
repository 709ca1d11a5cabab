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

/**
 * Many cases of one promise, each a whole build or a kill. `npm test` plays the first of each file,
 * `npm run test:more` a share that changes with the day, `npm run test:long` all (test/rig/share.ts).
 */
const campaigns = [
  'test/crash/**/*.test.ts',
  'test/hostile/{agents,agents-roles,cheats,engine-files,landing,patches,workspace-crash}.test.ts',
  'test/gate/{gate,self-check}.test.ts',
  'src/checks/channel/{run-options,runner-results}.test.ts',
  'src/checks/{checks,run-check}.test.ts',
  'src/workspace/git/{in-place/in-place,repository/intact,pool/folders,harvest/harvest-rules}.test.ts',
  'test/cli/strength.test.ts',
  'test/{http/sealed,hostile/sealed-examples,scenarios/flaky,scenarios/reported}.test.ts',
  'test/recorder/*replayed*.test.ts',
  'test/http/{builds,feed-cuts,fuzz,ideas,loops,message}.test.ts',
  'test/library/{build-agent,package,pipeline-orchestrator}.test.ts',
  'test/model-agent/{conformance,model}.test.ts',
  'test/scenarios/{install-scripts,past-the-engine,patch-mode,session}.test.ts',
  'test/cli/build-{baseline,budget,causes,claim,claim-loop,escalate,fallback,findings,goal,in-place}.test.ts',
  'test/cli/build-{interrupt,limits,look,luck,notify,plan,steer}.test.ts',
  'test/cli/{build-refusals,idea,operator-only,plan,revert,ship,ship-proof,verify}.test.ts',
  'test/browser/{page,pipeline,two-repositories}.test.ts',
  'test/faces/{faces,runs}.test.ts',
  'test/http/{feed,plans,repositories,sessions}.test.ts',
  'test/cli/{build-removed,build-straight-on}.test.ts',
  'test/model-agent/build.test.ts',
  'test/hostile/workspace.test.ts',
  'test/scenarios/{demo,evidence,progress-file,sealed}.test.ts',
  'test/plugin/hooks.test.ts',
]

/** Their first case alone takes long, and quicker tests of `npm test` stand for the same promise. */
const onlyInShares = [
  'test/crash/build-anywhere.test.ts',
  'test/hostile/workspace-crash.test.ts',
  'test/http/feed-cuts.test.ts',
  'test/browser/two-repositories.test.ts',
  'test/faces/faces.test.ts',
  'test/library/package.test.ts',
  'test/model-agent/build.test.ts',
  'test/scenarios/demo.test.ts',
]
/** The corpus of the gate proves itself when it is edited, and in `npm run test:long`. */
const onlyAtLength = ['test/gate/self-check.test.ts']
const share = process.env['RALPH_TEST_SHARE'] ?? 'all'
const leftOut = share === 'all' ? [] : share === 'first' ? onlyInShares : onlyAtLength

/** They end a test that hangs, and nothing else: ten times what the slowest takes on a quiet machine. */
const HANGS_MS = 180_000
const CAMPAIGN_HANGS_MS = 600_000

/** The suites of the workspace that reach its fast path; they run once more with plain git alone. */
const fastPathSuites = [
  'src/workspace/git/harvest/harvest-rules.test.ts',
  'src/workspace/git/merge/commit-to-branch.test.ts',
  'src/workspace/git/mirror/mirror.test.ts',
  'src/workspace/git/pool/{checkouts,folders}.test.ts',
  'src/workspace/git/repository/notes.test.ts',
  'src/workspace/git/tree/trees.test.ts',
]

const project = (name: string, include: string[], exclude: string[] = [], testTimeout = HANGS_MS) => ({
  plugins: [filesAsText],
  test: { name, include, exclude, isolate: false, testTimeout, hookTimeout: testTimeout },
})

const apart = ({ plugins, test }: ReturnType<typeof project>) => ({ plugins, test: { ...test, isolate: true } })

const inShares = ({ plugins, test }: ReturnType<typeof project>) => ({
  plugins,
  test: { ...test, setupFiles: ['test/rig/share-setup.ts'] },
})

const plainGit = ({ plugins, test }: ReturnType<typeof project>) => ({
  plugins,
  test: { ...test, env: { RALPH_TEST_FAST_PATH: 'off' } },
})

export default defineConfig({
  test: {
    // Most tests wait for processes that they started: two beside each other, also where there are only two cores.
    maxWorkers: 2,
    globalSetup: ['test/rig/run-folder.ts'],
    projects: [
      project('unit', ['src/**/*.test.ts'], [processRooms]),
      project('rooms', [processRooms], [...weighed, ...campaigns]),
      inShares(apart(project('weighed-campaigns', weighed, [], CAMPAIGN_HANGS_MS))),
      inShares(plainGit(project('plain-git-campaigns', fastPathSuites, [], CAMPAIGN_HANGS_MS))),
      project('tidy', ['test/tidy/**/*.test.ts']),
      project('whole', ['test/!(tidy|real-agents)/**/*.test.ts'], [...weighed, ...campaigns]),
      inShares(project('campaigns', campaigns, leftOut, CAMPAIGN_HANGS_MS)),
      // Needs programs that `npm run test:agents` installs.
      project('agents', ['test/real-agents/**/*.test.ts'], [], CAMPAIGN_HANGS_MS),
    ],
  },
})
