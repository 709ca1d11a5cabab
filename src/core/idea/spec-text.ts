// The written form of an idea, made from the answer of its planner, for people to read and change.
import type { BuildGraph, GraphTask } from '../plan/build-graph.ts'
import type { Idea, Spec } from './idea.ts'
import type { Seed } from '../plan/seed.ts'

/** The input of the planner: the spec of the idea, or its own words where it has none. */
export function seedOfIdea({ id, text, spec }: Pick<Idea, 'id' | 'text' | 'spec'>): Extract<Seed, { from: 'idea' }> {
  return { from: 'idea', id, text: spec === null ? text : spec.text }
}

/** A spec that a person wrote. A new version is the same spec: its tasks are synced by difference. */
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
