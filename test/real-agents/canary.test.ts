// Where the user's environment ends up: the agent gets only the listed variables, and no secret is stored, shown, sent
// to a model or visible to others on the machine.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Ask, turnsSoFar } from '../model-server/ask.ts'
import { byTask, team } from '../model-server/team.ts'
import { inOrder } from '../model-server/scenario.ts'
import { say } from '../model-server/turn.ts'
import { CLAUDE, type ClaudeProject, claudeProject, NO_CLAUDE } from './claude-project.ts'
import { bash, idOf, numbersTeam, writesNumber, writesTest } from '../model-server/numbers-story.ts'
import { processes } from './processes.ts'

const CANARY = 'canary-7f3c9a1e'
const SECRET = 'secret-5d20b86f-value'

const CANARIES = Object.fromEntries(
  [
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'NPM_TOKEN',
    'MY_PASSWORD',
    'EDITOR',
    'XDG_DATA_DIRS',
    'OPENAI_API_KEY',
  ].map((name, at) => [name, `${CANARY}-${at}`]),
)

/** The implementer looks at all it was given, and says the secret out loud. */
const curious = inOrder(
  bash('env | sort; tr "\\0" "\\n" < /proc/$PPID/environ | sort'),
  bash('echo "the token is $MY_SERVICE_TOKEN" | tee /dev/stderr'),
  writesTest('two'),
  writesNumber('two'),
  say('I have seen everything.\n\nTASK_COMPLETE'),
)

/** Looks at every command line on the machine until the end. */
function watchCommands(): { seen: Set<string> } {
  const seen = new Set<string>()
  const timer = setInterval(() => {
    for (const { command } of processes()) seen.add(command)
  }, 20)
  onTestFinished(() => clearInterval(timer))
  return { seen }
}

/** Files below the folder that hold these bytes. */
function filesWith(folder: string, words: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .filter((path) => readFileSync(path, 'latin1').includes(words))
}

/** Ralph's own words to the model: everything before the first use of a tool. */
function promptsWith({ server }: ClaudeProject, words: string): string[] {
  const first = server.log.all().filter(({ ask }) => ask !== null && turnsSoFar(ask as Ask) === 0)
  return first.map(({ body }) => body).filter((body) => body.includes(words))
}

describe.skipIf(CLAUDE === null)(`secrets of the user${CLAUDE === null ? ` (${NO_CLAUDE})` : ''}`, () => {
  it('stay where they belong', async () => {
    const scenario = team({ ...numbersTeam, implementer: byTask({ [idOf('two')]: curious }) })
    const made = await claudeProject(scenario, { listed: ['MY_SERVICE_TOKEN'] })
    made.ok('create', idOf('two'), 'Add two()')
    const { seen } = watchCommands()
    const { code, stdout, stderr } = await made.start(['build'], {
      ...made.claudeEnv,
      ...CANARIES,
      MY_SERVICE_TOKEN: SECRET,
    }).ended
    expect(code).toBe(0)
    const asked = server(made)
    // The agent was given the one that is listed, and saw it.
    expect(asked).toContain(SECRET)
    expect({
      canariesAsked: asked.includes(CANARY),
      secretInPrompts: promptsWith(made, SECRET),
      commands: [...seen].filter((command) => command.includes(CANARY) || command.includes(SECRET)),
      printed: [stdout, stderr].filter((text) => text.includes(CANARY) || text.includes(SECRET)),
      kept: [...filesWith(made.root, CANARY), ...filesWith(made.root, SECRET)],
      shown: ['log', 'status', 'report', 'diff'].filter((view) => {
        const { stdout: text } = made.ralph([view])
        return text.includes(CANARY) || text.includes(SECRET)
      }),
    }).toEqual({ canariesAsked: false, secretInPrompts: [], commands: [], printed: [], kept: [], shown: [] })
    // The watch saw the processes it was meant for.
    expect([...seen].some((command) => command.includes('--output-format stream-json'))).toBe(true)
  })
})

function server({ server: { log } }: ClaudeProject): string {
  return log
    .all()
    .map(({ body }) => body)
    .join('\n')
}
