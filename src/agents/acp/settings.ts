// Sets the options of a session before its first turn, from those that the agent offers.
import type { Failure } from '../agent.ts'
import { failure } from '../shared/api-failure.ts'
import { type Fields, fields, list, text } from '../shared/fields.ts'

export interface Setting {
  readonly method: string
  readonly params: Fields
}

/** A reading role gets the mode that cannot change files, where there is one. */
export function readingMode(answer: Fields): Setting[] {
  const modes = list(fields(answer['modes'])['availableModes']).map((mode) => text(fields(mode)['id']))
  const modeId = modes.find((mode) => /^read-?only$/i.test(mode))
  return modeId === undefined ? [] : [{ method: 'session/set_mode', params: { modeId } }]
}

/** From the options of the session; older agents have a list of models instead. */
export function modelChoice(answer: Fields, model: string): Setting[] | Failure {
  const option = list(answer['configOptions'])
    .map(fields)
    .find(({ category, type }) => category === 'model' && type === 'select')
  const values = list(option?.['options']).flatMap((entry) => {
    const { options, value } = fields(entry)
    return options === undefined ? [text(value)] : list(options).map((one) => text(fields(one)['value']))
  })
  const models = list(fields(answer['models'])['availableModels']).map((entry) => text(fields(entry)['modelId']))
  if (values.includes(model))
    return [{ method: 'session/set_config_option', params: { configId: text(option?.['id']), value: model } }]
  if (models.includes(model)) return [{ method: 'session/set_model', params: { modelId: model } }]
  const known = [...new Set([...values, ...models])].slice(0, 20).join(', ')
  const mend = known === '' ? 'take model out of [agent.acp]' : `use one of these: ${known}`
  return failure('unknownCommand', `the agent has no model ${JSON.stringify(model)} to choose; ${mend}`)
}
