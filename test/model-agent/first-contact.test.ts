// The model agent as a new user meets it: what init writes, what doctor and build say before the first iteration.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratch } from '../rig/scratch.ts'

const MISSING =
  'OPENAI_API_KEY is not set, so openai cannot be asked; run: export OPENAI_API_KEY=YOUR_KEY   (or name the variable that holds it: key_variable in [agent.model])'

describe('the model agent, met for the first time', () => {
  it('is written by init for the provider whose key is there, and missed by doctor and build when it is gone', () => {
    const made = scratch()
    const init = made.ralph(['init', '--yes', '--agent', 'model'], { env: { OPENAI_API_KEY: 'key-0123456789' } })
    expect([init.code, init.stderr]).toEqual([
      0,
      expect.stringContaining(
        'The agent model is ready: openai gpt-5 at https://api.openai.com/v1, key from OPENAI_API_KEY.',
      ),
    ])
    expect(readFileSync(join(made.folder, 'ralph.toml'), 'utf8')).toContain('[agent.model]\nprovider = "openai"   #')
    const doctor = made.ralph(['doctor', '--json'])
    const { findings } = JSON.parse(doctor.stdout) as { findings: { what: string }[] }
    const [detail, ...mend] = MISSING.split('; ')
    expect(findings.find(({ what }) => what === 'agent model')).toEqual({
      what: 'agent model',
      state: 'failed',
      detail,
      mend: mend.join('; '),
    })
    const build = made.ralph(['build', 'a calculator'])
    expect([build.code, build.stderr]).toEqual([
      1,
      `Error: the agent model cannot work: ${MISSING} [RALPH_AGENT_NOT_READY]\n`,
    ])
  })

  it('is not asked to choose its task, since it has no shell', () => {
    const made = scratch()
    const toml = '[agents]\ndefault = "model"\n[agent.model]\nmodel = "gpt-5"\nprovider = "openai"\n'
    writeFileSync(join(made.folder, 'ralph.toml'), toml)
    made.ok('create', 't1', 'Something')
    const before = made.state()
    const build = made.ralph(['build', '--claim', 'agent'], { env: { OPENAI_API_KEY: 'key-0123456789' } })
    expect([build.code, build.stderr]).toEqual([1, expect.stringContaining('it has no shell; leave --claim agent out')])
    expect(made.state()).toEqual(before)
  })
})
