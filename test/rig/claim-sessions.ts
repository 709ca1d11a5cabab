import { KEPT } from './probes-off.ts'
import type { Project } from './project.ts'
import { work } from './sessions.ts'
// For `ralph build --claim agent`: sessions of the scripted agent that choose their task.

export const EXITED = 'session exited without completing task'

/** The n-th session of a loop; without a number, any. */
export const session = (iteration: number | null, ...steps: readonly object[]) => ({
  role: 'implementer',
  ...(iteration === null ? {} : { iteration }),
  steps,
})
export const run = (...commands: readonly string[]) => ({ run: commands.join('; ') })
/** Without the signal at its end. */
export const files = (name: string, is = 1, wants = is) => work(name, is, wants).slice(0, -1)
export const does = (name: string, is = 1, wants = is) => [
  run(`ralph task claim ${name}`),
  ...files(name, is, wants),
  run(`ralph task done ${name}`),
]
export const merged = (task: string) => [
  `${task}: verifying`,
  `${task}: ${KEPT}`,
  `${task}: review: approved`,
  `${task}: done, merged as COMMIT`,
]

/** Does whatever task it gets. */
export const anySession = session(
  null,
  run('ralph task claim'),
  run(
    'id=$(ralph task list --status active --assignee "$RALPH_AGENT_ID" | sed -e 1d -e "s/ .*//")',
    'echo x > "$id.txt"',
    'ralph task done "$id"',
  ),
)

export const build = (made: Project, ...more: readonly string[]) => made.ralph(['build', '--claim', 'agent', ...more])
export const standing = (made: Project, id: string) => {
  const { status, assignee, retry_count, fail_reason } = JSON.parse(made.ok('show', id, '--json')) as Record<
    string,
    unknown
  >
  return { status, assignee, retry_count, fail_reason }
}
/** The output of the agents' tools, session by session. */
export const printed = (made: Project) =>
  made
    .ralph(['log', '--transcript', '--json'])
    .stdout.split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ type }) => type === 'toolResult')
    .map(({ output }) => String(output))
