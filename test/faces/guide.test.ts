// The guide's table of faces is complete and correct.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { idea } from '../../src/cli/idea/commands.ts'
import { task } from '../../src/cli/task/commands.ts'
import { iterationTools } from '../../src/mcp/iteration-tools.ts'
import { taskTools } from '../../src/mcp/task-tools.ts'
import { calls } from '../../src/operations/contract/calls.ts'

const ROOT = join(import.meta.dirname, '../..')
const rows = readFileSync(join(ROOT, 'docs/guide/faces.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| what |'))
  .map((line) => line.split('|'))

/** What a column names, each once. */
const named = (column: number): string[] =>
  [
    ...new Set(rows.flatMap((cells) => [...(cells[column] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))),
  ].toSorted()

/** To load the program is to run it, so its commands are read from its source. */
function commands(): string[] {
  const source = readFileSync(join(ROOT, 'src/cli/main.ts'), 'utf8')
  const [, group = ''] = /^  commands: \{\n(.*?)^  \},$/ms.exec(source) ?? []
  const all = [...group.matchAll(/^    (\w+)[:,]/gm)].map(([, name = '']) => name)
  const under = { task: Object.keys(task.commands), idea: Object.keys(idea.commands) }
  return all.flatMap((name) =>
    name === 'task' || name === 'idea' ? under[name].map((verb) => `ralph ${name} ${verb}`) : [`ralph ${name}`],
  )
}

it('names every command, function and tool', () => {
  expect(named(2)).toEqual(commands().toSorted())
  expect(named(3)).toEqual(
    [...Object.keys(calls), 'follow', 'followIdeas', 'followTranscript', 'reportBuild'].toSorted(),
  )
  expect(named(4)).toEqual([...taskTools, ...iterationTools].map(({ name }) => name).toSorted())
})
