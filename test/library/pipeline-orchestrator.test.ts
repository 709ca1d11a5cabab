// The pipeline for programs.
import { describe, expect, it, vi } from 'vitest'
import { rig } from './library-project.ts'
import { HANG_MS } from '../rig/hang.ts'
import { answers, SIA_GIVES_UP, work } from '../rig/sessions.ts'

const WAIT = { timeout: HANG_MS, interval: 20 }

describe('the build agent in the pipeline', () => {
  it('starts a build on the transition to building, and is deployed when that is complete', async () => {
    const { made, agent, orchestrator, ready } = rig([answers()])
    const started: string[] = []
    const startBuild = agent.startBuild.bind(agent)
    agent.startBuild = (...args) => {
      started.push(...args)
      return startBuild(...args)
    }
    await ready('idea-1', 'auto')
    expect(orchestrator.getState('idea-1').currentPhase).toBe('spec_ready')
    await orchestrator.requestTransition('idea-1', 'building', 'test')
    expect(started).toEqual(['idea-1'])
    await vi.waitFor(() => expect(orchestrator.getState('idea-1').currentPhase).toBe('deployed'), WAIT)
    expect(made.git('log', '--format=%s', '-2', 'main')).toBe('feat: Add three\nfeat: Add two\n')
    const moves = made.json('idea', 'show', 'idea-1')['moves'] as { to: string; by: string; reason: string }[]
    expect(moves.find(({ to }) => to === 'building')).toMatchObject({ by: 'ada', reason: 'test' })
  })

  it('an event that says complete deploys nothing by itself', async () => {
    const { made, agent, orchestrator, ready } = rig([answers()])
    await ready('idea-1', 'auto')
    agent.emit('buildComplete', { type: 'buildComplete', seq: 9, at: 0, sessionId: 'b_x', ideaId: 'idea-1' })
    await agent.advance('idea-1')
    expect(await orchestrator.readState('idea-1')).toEqual({ ideaId: 'idea-1', currentPhase: 'spec_ready' })
    expect(made.git('log', '--format=%s', 'main')).toBe('start\n')
  })

  it('waits in build_review where nobody said that it goes on by itself', async () => {
    const { made, orchestrator, ready } = rig([answers()])
    await ready('idea-1')
    await orchestrator.requestTransition('idea-1', 'building', 'test')
    await vi.waitFor(() => expect(orchestrator.getState('idea-1').currentPhase).toBe('build_review'), WAIT)
    expect(made.git('log', '--format=%s', 'main')).toBe('start\n')
    const state = await orchestrator.requestTransition('idea-1', 'deployed', 'looks good')
    expect(state.currentPhase).toBe('deployed')
    expect(made.git('log', '--format=%s', '-1', 'main')).toBe('feat: Add three\n')
  })

  it('a human who is needed is told and pauses it, and their answer lets it go on', async () => {
    const stuck = { role: 'implementer', task: 'two', steps: work('two', 1, 2) }
    const { made, agent, orchestrator, ready } = rig([answers(), stuck, SIA_GIVES_UP])
    made.write('ralph.toml', `${made.read('ralph.toml')}[notify]\ncommand = "cat >> ../notices"\n`)
    await ready('idea-1', 'auto')
    await orchestrator.requestTransition('idea-1', 'building', 'test')
    await vi.waitFor(() => expect(orchestrator.getState('idea-1').currentPhase).toBe('paused'), WAIT)
    const session = await agent.getSessionByIdeaId('idea-1')
    await agent.skipTask(String(session?.id))
    // The gate asks about what was skipped.
    await vi.waitFor(() => expect(orchestrator.getState('idea-1').currentPhase).toBe('build_review'), WAIT)
    await agent.advance('idea-1')
    expect(orchestrator.getState('idea-1').currentPhase).toBe('build_review')
    const told = made.read('../notices').trim().split('\n')
    expect(told.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(['humanNeeded', 'buildComplete'])
  })

  it.each([
    ['deployed', 'test', 'IDEA_MOVE_ILLEGAL'],
    ['dreaming', 'test', 'PHASE_UNKNOWN'],
    ['ideation_ready', ' ', 'USAGE'],
  ] as const)('refuses %s for %j', async (phase, reason, code) => {
    const { orchestrator } = rig([])
    await orchestrator.addIdea({ id: 'idea-1', text: 'Something' })
    await expect(orchestrator.requestTransition('idea-1', phase, reason)).rejects.toMatchObject({ code })
    expect(orchestrator.getState('idea-1').currentPhase).toBe('ideation')
    expect(orchestrator.getState('nobody').currentPhase).toBeNull()
  })
})
