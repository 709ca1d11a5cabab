// `ralph task show ID --sealed`: the sealed examples of a task, for people.
import { loadConfig } from '../../config/settings/load.ts'
import { EXAMPLES_MIN } from '../../core/sealed/example.ts'
import { triedText } from '../../core/sealed/for-reviewer.ts'
import type { TaskId } from '../../core/values/id.ts'
import { type SealedView, sealedOfTask, wireSealed } from '../../operations/read/sealed-examples.ts'
import type { Call } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { checkoutOf } from '../run/build-context.ts'
import { shownLines } from '../text/sanitize.ts'
import { withTaskStore } from './task-store.ts'

export async function showSealed(call: Call, id: TaskId): Promise<void> {
  const current = () => loadConfig({ folder: checkoutOf(call), env: call.env })
  const sealed = await withTaskStore(call, (context) => sealedOfTask(context, id, current))
  if (call.wantsJson) return printJson(wireSealed(id, sealed))
  if (sealed.from === null) return printError('The task has no sealed examples.\n')
  print(sealedPage(sealed))
}

const sources: Readonly<Record<NonNullable<SealedView['from']>, string>> = {
  plan: 'from the plan',
  settings: 'from ralph.toml, which agents can read',
  file: 'from the file of [sealed]',
}

function sealedPage({ from, examples, tried }: SealedView): string {
  const few = examples.length < EXAMPLES_MIN ? `; fewer than ${EXAMPLES_MIN}, so none counts` : ''
  const untried = tried === null ? '; not tried yet' : ''
  const head = `Sealed examples, ${from === null ? '' : sources[from]}${few}${untried}:`
  const text = triedText(tried ?? { examples, onBase: [], results: [] })
  return `${[head, ...shownLines(text)].join('\n')}\n`
}
