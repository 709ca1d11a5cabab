import { describe, expect, it } from 'vitest'
import { refused } from '../../../test/arbitraries/refusal.ts'
import type { IdeaId } from '../values/id.ts'
import { type Idea, ideaMoved, ideaText, newIdea } from './idea.ts'

const idea: Idea = newIdea('i_1' as IdeaId, ideaText('Add a shop'), { project: null, advance: 'manual' }, 5)

describe('the words of an idea', () => {
  it.each<[text: string, title: string | undefined, expected: object]>([
    ['Add a shop', undefined, { title: 'Add a shop', text: 'Add a shop' }],
    ['  # A shop\n\nWith a cart.\n', undefined, { title: 'A shop', text: '# A shop\n\nWith a cart.' }],
    ['With a cart', ' The shop ', { title: 'The shop', text: 'With a cart' }],
    ['a\tb', undefined, { title: 'a b', text: 'a\tb' }],
    ['x'.repeat(300), undefined, { title: `${'x'.repeat(199)}…`, text: 'x'.repeat(300) }],
  ])('%j called %j', (text, title, expected) => {
    expect(ideaText(text, title)).toEqual(expected)
  })

  it.each<[text: string, title: string | undefined, sentence: string]>([
    [' \n ', undefined, 'the idea is empty; say what is wanted'],
    ['x'.repeat(256 * 1024 + 1), undefined, 'an idea has at most 256 KiB; shorten it'],
    ['x', '', 'a title is one line of at most 200 characters'],
    ['x', 'a\nb', 'a title is one line of at most 200 characters'],
    ['x', 'y'.repeat(201), 'a title is one line of at most 200 characters'],
  ])('%.20j called %.20j is refused', (text, title, sentence) => {
    expect(refused(() => ideaText(text, title))).toEqual(['IDEA_TEXT_BAD', sentence])
  })
})

describe('a move', () => {
  it('changes the phase and leaves an entry', () => {
    const { idea: after, move } = ideaMoved(idea, { to: 'ideation_ready', by: 'ada', reason: 'clear' }, 9)
    expect(after).toEqual({ ...idea, phase: 'ideation_ready', updatedAt: 9 })
    expect(move).toEqual({ at: 9, by: 'ada', from: 'ideation', to: 'ideation_ready', reason: 'clear', overridden: [] })
  })

  it('may bring a spec, and a pause remembers where it was', () => {
    const spec = { id: 's', text: 'All of it', graph: null }
    const ready = ideaMoved(
      { ...idea, phase: 'specification' },
      { to: 'spec_ready', by: 'a', reason: '', spec },
      6,
    ).idea
    const paused = ideaMoved(ready, { to: 'paused', by: 'a', reason: 'x'.repeat(3_000) }, 7)
    expect(paused.idea).toEqual({ ...idea, spec, phase: 'paused', resumes: 'spec_ready', updatedAt: 7 })
    expect(paused.move.reason).toHaveLength(2_000)
    expect(ideaMoved(paused.idea, { to: 'failed', by: 'a', reason: '' }, 8).idea.resumes).toBe('spec_ready')
  })
})
