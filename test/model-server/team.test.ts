import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Ask } from './ask.ts'
import { byTask, roleIn, taskIn, team } from './team.ts'
import { say } from './turn.ts'

const prompts = join(import.meta.dirname, '../../src/prompts')

function asking(prompt: string): Ask {
  const messages = [{ from: 'user', texts: ['<system-reminder/>', prompt], calls: [], results: [] }] as const
  return { model: 'm', system: '', tools: [], messages, streams: true }
}

const everyone = team({
  planner: () => say('planner'),
  implementer: () => say('implementer'),
  reviewer: () => say('reviewer'),
  sia: () => say('sia'),
})

it.each([
  ['PROMPT_plan.md', 'planner'],
  ['PROMPT_build.md', 'implementer'],
  ['PROMPT_review.md', 'reviewer'],
  ['PROMPT_sia.md', 'sia'],
])('%s is told to the %s', (file, role) => {
  const prompt = readFileSync(join(prompts, file), 'utf8')
  expect(roleIn(asking(prompt))).toBe(role)
  expect(everyone(asking(prompt))).toEqual(say(role))
  expect(team({})(asking(prompt))).toEqual({ refuses: 'unscripted', words: `the scenario has no ${role}; add one` })
})

it.each(['build', 'review', 'sia'])('the task of a %s prompt is known', (name) => {
  const prompt = readFileSync(join(prompts, `golden/${name}.md`), 'utf8')
  const ask = asking(prompt)
  expect(taskIn(ask)).toBe('add-sum')
  expect(byTask({ 'add-sum': () => say('I add') })(ask)).toEqual(say('I add'))
  expect(byTask({})(ask)).toMatchObject({ refuses: 'unscripted' })
})
