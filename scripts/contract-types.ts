// Writes the contract as plain types, so that programs that use the library do not need its run-time checks.
import { z } from 'zod'
import { errorAnswer, routes } from '../src/operations/contract/contract.ts'
import { ideaNews } from '../src/operations/contract/ideas.ts'
import { transcriptNews } from '../src/operations/contract/task-detail.ts'

interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly description?: string
}

/** Replaces `operations/contract/contract.d.ts`. */
export function contractTypes(): string {
  const inputs = Object.entries(routes).map(([name, { about, params, query, body }]) => {
    const parts = [params, query, body].filter((part) => !(part instanceof z.ZodUndefined))
    const schemas = parts.map((part) => schemaOf(part, 'input'))
    const whole: Schema = {
      type: 'object',
      properties: Object.assign({}, ...schemas.map(({ properties }) => properties)) as Record<string, Schema>,
      required: schemas.flatMap(({ required = [] }) => required),
    }
    return `  /** ${about} */\n  readonly ${name}: ${typeText(whole, '  ')}\n`
  })
  const answers = Object.entries(routes).map(
    ([name, { answer }]) => `  readonly ${name}: ${typeText(schemaOf(answer, 'output'), '  ')}\n`,
  )
  return [
    `export interface Inputs {\n${inputs.join('')}}\n`,
    `export interface Answers {\n${answers.join('')}}\n`,
    `export type IdeaNews = ${typeText(schemaOf(ideaNews, 'output'), '')}\n`,
    `export type TranscriptNews = ${typeText(schemaOf(transcriptNews, 'output'), '')}\n`,
    `export type ErrorAnswer = ${typeText(schemaOf(errorAnswer, 'output'), '')}\n`,
  ].join('\n')
}

function schemaOf(type: z.ZodType, io: 'input' | 'output'): Schema {
  return z.toJSONSchema(type, { io }) as Schema
}

function typeText(schema: Schema, indent: string): string {
  const { type, oneOf, anyOf = oneOf, enum: values, items } = schema
  if (anyOf !== undefined) return anyOf.map((one) => typeText(one, indent)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (values !== undefined) return values.map((one) => JSON.stringify(one)).join(' | ')
  if (typeof type === 'object') return type.map((one) => typeText({ ...schema, type: one }, indent)).join(' | ')
  if (type === 'array') return `Array<${items === undefined ? 'unknown' : typeText(items, indent)}>`
  if (type === 'object') return objectText(schema, indent)
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' || type === 'boolean' || type === 'null') return type
  if (type === undefined) return 'unknown'
  throw new Error(`the contract has a type that cannot be written down yet: ${JSON.stringify(schema)}`)
}

function objectText({ properties = {}, required = [], additionalProperties: other }: Schema, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, of]) => {
    const about = of.description === undefined ? '' : `${inner}/** ${of.description} */\n`
    const isRequired = required.includes(name)
    return `${about}${inner}${name}${isRequired ? '' : '?'}: ${typeText(of, inner)}${isRequired ? '' : ' | undefined'}\n`
  })
  if (typeof other === 'object') lines.push(`${inner}[name: string]: ${typeText(other, inner)}\n`)
  return lines.length === 0 ? 'Record<never, never>' : `{\n${lines.join('')}${indent}}`
}
