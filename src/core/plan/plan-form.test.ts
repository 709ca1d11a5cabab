import { describe, expect, it } from 'vitest'
import { formOf, type PlanForm } from './plan-form.ts'

const SPEC = `# Login

People log in with a password. Sessions last a day.

Out of scope: OAuth. The page has a form with two fields.

## Acceptance

- [ ] a wrong password says so
`

describe('what a text is', () => {
  it.each<[PlanForm, string, string]>([
    ['progress', '# Progress: Numbers\n\n## Tasks\n\n- [ ] two\n', 'PLAN.md'],
    ['checklist', '# Fix plan\n\n- [ ] two\n- [x] one\n', 'fix_plan.md'],
    ['checklist', '1. [ ] two\n   why\n2. [ ] three\n', 'x.md'],
    ['checklist', 'Some words before.\n\n* [ ] two\n', 'x.md'],
    ['spec', SPEC, 'SPEC.md'],
    ['spec', '```\n- [ ] quoted\n```\n', 'x.md'],
    ['spec', '- two\n- three\n', 'IMPLEMENTATION_PLAN.md'],
    ['spec', '[docs](x) say it all\n', 'SPEC.md'],
    ['spec', '{project} gets a login page\n', 'SPEC.md'],
    ['spec', '', 'empty.md'],
    ['prd', '{"project": "x", "userStories": []}', 'prd.json'],
    ['prd', '[{"title": "x"}]', 'features.json'],
    ['prd', '{"tasks": [{"title": "x"}]}', 'x.json'],
    ['graph', '{"tasks": [{"id": "a", "goal": "x"}]}', 'x.json'],
    ['jsonl', '{"id": "a", "t": "A"}\n{"id": "b", "t": "B"}\n', 'plan.jsonl'],
    ['jsonl', '{"id": "a", "title": "A"}', 'plan'],
    ['jsonl', '{"id": "a", "t": "A"}\n{"id": "b", \n', 'plan.jsonl'],
  ])('%s: %j', (form, text, name) => {
    expect(formOf(text, name)).toBe(form)
  })

  it.each([
    ['{"a": 1', 'x', 'x is not valid JSON; mend it, or say in words what is wanted'],
    ['nothing', 'prd.json', 'prd.json is not valid JSON; mend it, or say in words what is wanted'],
    ['{"a": 1}', 'a.json', "a.json is JSON without a list of tasks; known are 'userStories' and 'tasks'"],
  ])('%j is refused', (text, name, sentence) => {
    expect(() => formOf(text, name)).toThrow(sentence)
  })
})
