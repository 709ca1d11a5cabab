// The library: `import { … } from 'ralph-runtime'`.
export { RalphError } from './core/error/error.ts'
export type { Build, BuildState, SessionStatus } from './core/builds/build.ts'
export type { ProbeReport } from './core/evidence/probe-report.ts'
export type { Fact, RecordedFact, FactEvent } from './core/fact/fact.ts'
export type { Strength } from './core/fact/strength.ts'
export type { Idea, IdeaMove, Project, Spec } from './core/idea/idea.ts'
export { legalMoves, PIPELINE_PHASES, type PipelinePhase, type Prerequisite } from './core/idea/pipeline.ts'
export type { Task, TaskStatus } from './core/task/task.ts'
export {
  BuildAgent,
  type BuildAgentParts,
  type CheckpointManager,
  type FactEvents,
  type GitIntegration,
  type ResumeOptions,
} from './library/build-agent.ts'
export type { BuildDesk, ClientWish, IdeaWish, RalphWish, ToldFact } from './library/earlier-names.ts'
export { openRalph, type Ralph, type RalphOptions } from './library/open-ralph.ts'
export { PipelineOrchestrator, type PipelineState, type TransitionOptions } from './library/pipeline-orchestrator.ts'
export { type OpenPlace, openPlace, type Place } from './library/place.ts'
export { followFacts } from './operations/builds/build-facts.ts'
export { type BuildReport, reportBuild } from './operations/read/build-report.ts'
export type { TaskStrength } from './operations/tasks/task-strength.ts'
export type { BuildSession, TaskDefinition } from './operations/read/build-session.ts'
export { type BuildContext, findBuild, moveBuild } from './operations/builds/builds.ts'
export type { Answers, IdeaNews, Inputs, TranscriptNews } from './operations/contract/contract.ts'
export { type Client, type ClientOptions, createClient, RequestRefused } from './operations/contract/client.ts'
export { answerTask, retryTask, skipTask } from './operations/builds/escalations.ts'
export { addIdea, findIdea, type IdeaInput, listIdeas, type ShownIdea, showIdea } from './operations/ideas/ideas.ts'
export type {
  SiaAgent,
  SiaRequest,
  SiaResult,
  TaskContext,
  TaskExecutor,
  ValidationRunner,
} from './operations/in-process-agents.ts'
