// One suite for everything that implements the port: `describeStore('sqlite', open)`.
import { describe } from 'vitest'
import { describeAgents } from './conformance/agents.conformance.ts'
import { describeBuilds } from './conformance/builds.conformance.ts'
import { describeChanges } from './conformance/changes.conformance.ts'
import { describeClaims } from './conformance/claims.conformance.ts'
import { describeDependencies } from './conformance/dependencies.conformance.ts'
import { describeIdeas } from './conformance/ideas.conformance.ts'
import { describeGoingOn } from './conformance/going-on.conformance.ts'
import { describeLeases } from './conformance/leases.conformance.ts'
import { describePlanning } from './conformance/planning.conformance.ts'
import { describePlans } from './conformance/plans.conformance.ts'
import { describeRedChecks } from './conformance/red-checks.conformance.ts'
import type { OpenStore } from './conformance/rig.conformance.ts'
import { describeReportedDone } from './conformance/reported-done.conformance.ts'
import { describeSpending } from './conformance/spending.conformance.ts'
import { describeSplits } from './conformance/splits.conformance.ts'
import { describeTasks } from './conformance/tasks.conformance.ts'
import { describeWalks } from './conformance/walks.conformance.ts'
import { describeWords } from './conformance/words.conformance.ts'

export function describeStore(name: string, open: OpenStore): void {
  describe(`the ${name} store`, () => {
    describeTasks(open)
    describeClaims(open)
    describeDependencies(open)
    describePlans(open)
    describePlanning(open)
    describeAgents(open)
    describeBuilds(open)
    describeRedChecks(open)
    describeIdeas(open)
    describeLeases(open)
    describeGoingOn(open)
    describeReportedDone(open)
    describeSplits(open)
    describeWords(open)
    describeWalks(open)
    describeSpending(open)
    describeChanges(open)
  })
}
