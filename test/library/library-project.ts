// A project and the library over it.
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import { BuildAgent, type BuildAgentParts, PipelineOrchestrator } from '../../src/index.ts'
import { project, type Project } from '../rig/project.ts'

export interface Rig {
  readonly made: Project
  readonly agent: BuildAgent
  readonly orchestrator: PipelineOrchestrator
  /** Adds an idea and has its spec planned. */
  readonly ready: (id: string, advance?: 'auto' | 'manual') => Promise<void>
  readonly rows: (sql: string) => readonly Record<string, unknown>[]
}

export function rig(sessions: readonly object[], parts: BuildAgentParts = {}): Rig {
  const made = project({ tasks: 'planned', script: sessions })
  const agent = new BuildAgent({ folder: made.folder, env: made.env, person: 'ada', ...parts })
  const orchestrator = new PipelineOrchestrator({ buildAgent: agent })
  onTestFinished(async () => {
    await orchestrator.close()
    await agent.close()
  })
  const ready: Rig['ready'] = async (id, advance = 'manual') => {
    await orchestrator.addIdea({ id, text: 'Add the numbers two and three', advance })
    await orchestrator.requestTransition(id, 'ideation_ready', 'test')
    await orchestrator.requestTransition(id, 'specification', 'test')
  }
  const rows: Rig['rows'] = (sql) => {
    const database = new DatabaseSync(made.storePath)
    try {
      return database.prepare(sql).all()
    } finally {
      database.close()
    }
  }
  return { made, agent, orchestrator, ready, rows }
}
