// `npm run model-server -- SCENARIO [PORT]`: a scripted model to try a coding agent against, until Ctrl+C.
import { codexProvider } from '../real-agents/codex-environment.ts'
import { startModelServer } from './server.ts'
import { namedScenarios } from './named-scenarios.ts'

const [, , name = '', port = '0'] = process.argv
const named = namedScenarios[name]
if (named === undefined || !/^\d{1,5}$/.test(port)) {
  const width = Math.max(...Object.keys(namedScenarios).map(({ length }) => length))
  const lines = Object.entries(namedScenarios).map(([one, { about }]) => `  ${one.padEnd(width)}  ${about}`)
  console.error(['Usage: npm run model-server -- SCENARIO [PORT]', ...lines].join('\n'))
  process.exit(1)
}

const server = await startModelServer(named.open(), Number(port))
console.log(`The scripted model '${name}' (${named.about}) listens at ${server.address} until Ctrl+C.
In another terminal, in an empty folder:

  env -i PATH="$PATH" HOME="$(mktemp -d)" TERM=dumb \\
    ANTHROPIC_BASE_URL=${server.address} ANTHROPIC_API_KEY=dummy \\
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 CLAUDE_CODE_MAX_RETRIES=1 \\
    claude -p 'go' --output-format stream-json --verbose --permission-mode acceptEdits --allowedTools Bash </dev/null

Or in a repository with this in its ralph.toml, 'ralph build' with the same two variables set:

  [agent.claude]
  credentials = "none"
  env = ["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"]

Of Codex, with CODEX_API_KEY=dummy set (it has tools of its own, so scenarios that call tools are for its tests only):

  [agent.codex]
  credentials = "none"
  env = ["CODEX_API_KEY"]
  args = ${JSON.stringify(codexProvider(server.address))}
`)
server.log.watch(({ method, path, ask, turn }) => {
  const asked = ask === null ? '' : ` ${ask.messages.length} messages, ${ask.tools.length} tools`
  console.log(`${method} ${path}${asked} -> ${turn === null ? 'no turn' : JSON.stringify(turn).slice(0, 200)}`)
})
