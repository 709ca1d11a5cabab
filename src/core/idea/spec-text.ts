// The written form of an idea, made from what its planner answered: for people to read, and to change.
import type { BuildGraph, GraphTask } from '../plan/build-graph.ts'
import type { Idea, Spec } from './idea.ts'
import type { Seed } from '../plan/seed.ts'

/** What an idea is planned from: its spec where it has one, else its own words. */
export function seedOfIdea({ id, text, spec }: Pick<Idea, 'id' | 'text' | 'spec'>): Extract<Seed, { from: 'idea' }> {
  return { from: 'idea', id, text: spec === null ? text : spec.text }
}

/** A spec that somebody wrote. Written anew, it is the same spec: its tasks are taken over by difference. */
export function writtenSpec(idea: string, text: string): Spec {
  return { id: `idea:${idea}`, text, graph: null }
}

export function plannedSpec(idea: Pick<Idea, 'id' | 'title' | 'text'>, graph: BuildGraph): Spec {
  return { ...writtenSpec(idea.id, specText(idea, graph)), graph }
}

export function specText({ title, text }: Pick<Idea, 'title' | 'text'>, { tasks, notes }: BuildGraph): string {
  const words = text.replace(/^#{1,6}[ \t]+.*\n*/, '').trim()
  const parts = [
    `# ${title}`,
    ...(words === '' || words === title ? [] : [words]),
    ...(notes.trim() === '' ? [] : [`## Notes\n\n${notes.trim()}`]),
    '## Tasks',
    ...tasks.map(taskText),
  ]
  return `${parts.join('\n\n')}\n`
}

function taskText({ id, title, goal, acceptance, dependsOn }: GraphTask): string {
  const after = dependsOn.length === 0 ? '' : `\n\nAfter: ${dependsOn.join(', ')}`
  return `### ${id}: ${title}\n\n${goal.trim()}${after}\n\n${acceptance.map((line) => `- ${line}`).join('\n')}`
}
