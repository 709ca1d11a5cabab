// The Claude Code plugin says what the program does: the same words, the same version, lines that are taken.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parsePlanLines } from '../../src/core/plan/plan-jsonl.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const json = (path: string) => JSON.parse(read(path)) as Record<string, unknown>
const skills = ['ralph-build', 'ralph-plan', 'ralph-spec']

function skill(name: string): { readonly fields: Map<string, string>; readonly body: string } {
  const [, front = '', body = ''] =
    /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(read(`plugin/skills/${name}/SKILL.md`)) ?? []
  const fields = front.split('\n').map((line): [string, string] => {
    const at = line.indexOf(': ')
    return [line.slice(0, at), line.slice(at + 2)]
  })
  return { fields: new Map(fields), body }
}

describe('the plugin', () => {
  it('has the version of the program, and is part of its package', () => {
    const { version, files } = json('package.json')
    expect(json('plugin/.claude-plugin/plugin.json')).toMatchObject({ name: 'ralph', version })
    expect(files).toContain('plugin')
  })

  it('has these skills', () => {
    expect(readdirSync(join(root, 'plugin/skills')).toSorted()).toEqual(skills)
  })

  it.each(skills)('/%s is called by people only, and gets what they write', (name) => {
    const { fields, body } = skill(name)
    expect([fields.get('name'), fields.get('disable-model-invocation')]).toEqual([name, 'true'])
    expect(fields.get('description')?.length).toBeGreaterThan(40)
    expect(body.match(/\$ARGUMENTS/g)).toHaveLength(1)
    // Claude Code would run it, or put an argument in its place, before the agent sees the text.
    expect(body).not.toMatch(/!`|\$[0-9]|^```!/m)
  })

  it('/ralph-build tells what other agents are told', () => {
    const prompt = read('src/prompts/PROMPT_claim.md').replace('{{snapshot}}', '$ARGUMENTS')
    expect(skill('ralph-build').body.slice(0, prompt.length)).toBe(prompt)
  })

  it('/ralph-plan shows a line that is taken', () => {
    const [, line = ''] = /^```json\n(.*)\n```$/m.exec(skill('ralph-plan').body) ?? []
    expect(parsePlanLines(line)).toMatchObject([
      { id: 'parse-amount', text: { priority: 1, category: 'api', spec: 'SPEC.md' }, deps: [] },
    ])
  })
})
