// `npm run test:agents [-- NAME … [-- VITEST ARGUMENT …]]`: the tests that run real agent CLIs against the scripted model.
import { spawnSync } from 'node:child_process'
import { env } from 'node:process'
import { cacheFolder, install, pinnedAgents } from './agent-cache.ts'

const words = process.argv.slice(2)
const end = words.indexOf('--')
const [named, more] = end === -1 ? [words, []] : [words.slice(0, end), words.slice(end + 1)]
const asked = named.length === 0 ? Object.keys(pinnedAgents) : named
const names = [...new Set(asked.flatMap((name) => [name, ...(pinnedAgents[name]?.beside ?? [])]))]

const programs: Record<string, string> = {}
for (const name of names) {
  const pinned = pinnedAgents[name]
  if (pinned === undefined)
    fail(`there is no test for the agent '${name}'; known are ${Object.keys(pinnedAgents).join(', ')}`)
  programs[pinned.variable] = env[pinned.variable] ?? (await installed(name))
}

async function installed(name: string): Promise<string> {
  const pinned = pinnedAgents[name]
  if (pinned === undefined) return ''
  const cache = cacheFolder(env)
  return install(name, pinned, cache).catch((error: Error) =>
    fail(`${error.message}; connect to the registry, or name a program with ${pinned.variable}=PATH`),
  )
}

function fail(sentence: string): never {
  console.error(`Error: ${sentence}`)
  process.exit(1)
}

const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'agents', '--reporter', 'verbose', ...more], {
  stdio: 'inherit',
  env: { ...env, ...programs },
})
process.exit(status ?? 1)
