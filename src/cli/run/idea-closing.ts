// After a build: advances its idea where that is automatic, and reports it.
import type { Build } from '../../core/builds/build.ts'
import type { BuildContext } from '../../operations/builds/builds.ts'
import { advanceIdea } from '../../operations/ideas/move-idea.ts'
import type { Call } from '../command.ts'
import { terminalIdeaActions } from './idea-actions.ts'
import { firstLine } from '../text/sanitize.ts'
import { note } from './reporter.ts'

export async function closeIdea(context: BuildContext, call: Call, build: Build): Promise<void> {
  const advanced = await advanceIdea(context, terminalIdeaActions(context, call, null, 'by-hand'), build)
  if (advanced.is === 'manual') return
  const { id, phase } = advanced.idea
  note(`Idea ${id} is in ${phase}${advanced.why === null ? '' : `: ${firstLine(advanced.why)}`}.`)
}
