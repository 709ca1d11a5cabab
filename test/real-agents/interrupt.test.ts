// Ctrl+C while a real `claude` works: it is stopped with all it started, nothing is lost, and the build goes on later.
import { describe, expect, it } from 'vitest'
import { turnsSoFar } from '../model-server/ask.ts'
import { bash, idOf, implementing, numbersTeam } from '../model-server/numbers-story.ts'
import { atFirst, type Scenario } from '../model-server/scenario.ts'
import { byTask, team } from '../model-server/team.ts'
import { hang, type Turn } from '../model-server/turn.ts'
import { CLAUDE, type ClaudeProject, claudeProject, NO_CLAUDE } from './claude-project.ts'
import { processesOf } from './processes.ts'

const BUSY = 'busy-a7c31'

/** Two turns as usual; in the third it is held up once. */
function heldUpBy(turn: Turn): Scenario {
  const two = implementing('two')
  const heldUp = atFirst(turn, two)
  const implementer = byTask({ [idOf('two')]: (ask) => (turnsSoFar(ask) === 2 ? heldUp(ask) : two(ask)) })
  return team({ ...numbersTeam, implementer })
}

const moments: readonly { when: string; turn: Turn; comes: (made: ClaudeProject) => Promise<unknown> }[] = [
  {
    when: 'waits for its model',
    turn: hang,
    comes: ({ server }) => server.log.next(({ turn }) => turn === hang),
  },
  {
    when: 'runs a command',
    turn: bash(`: ${BUSY}; while :; do sleep 1; done`),
    comes: ({ root }) => until(() => processesOf(root).some(({ command }) => command.includes(BUSY))),
  },
]

/** There is no event for what another process starts. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}

describe.skipIf(CLAUDE === null)(`Ctrl+C${CLAUDE === null ? ` (${NO_CLAUDE})` : ''}`, () => {
  it.each(moments)('stops claude while it $when', async ({ turn, comes }) => {
    const made = await claudeProject(heldUpBy(turn))
    made.ok('create', idOf('two'), 'Add two()')
    const first = made.start(['build'], made.claudeEnv)
    await Promise.race([comes(made), first.ended])
    first.child.kill('SIGINT')
    expect((await first.ended).code).toBe(130)
    expect(processesOf(made.root)).toEqual([])
    expect(made.json('status')).toMatchObject({ state: 'running', tasks: [{ status: 'open', attempt: 1 }] })
    expect((await made.start(['build'], made.claudeEnv).ended).code).toBe(0)
    expect(made.json('status')).toMatchObject({ state: 'complete', tasks: [{ status: 'done', attempt: 1 }] })
    expect(processesOf(made.root)).toEqual([])
  })
})
