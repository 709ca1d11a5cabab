// Checks JSON values. An error says in one sentence which place is wrong and what belongs there.

/** The end of a sentence that starts with the place; null: it fits. */
export type Shape = (value: unknown, place: string) => Problem | null

/** `parts[0].steps[2].write.path must be …` */
export type Problem = string

export type Fields = Readonly<Record<string, Shape>>

export function fields(required: Fields, optional: Fields = {}): Shape {
  const known = { ...required, ...optional }
  return (value, place) => {
    if (!isObject(value)) return `${place} must be an object`
    const stranger = Object.keys(value).find((name) => !Object.hasOwn(known, name))
    if (stranger !== undefined) return `${place} has an unknown field ${JSON.stringify(stranger)}, ${allowed(known)}`
    for (const [name, shape] of Object.entries(known)) {
      if (Object.hasOwn(value, name)) {
        const problem = shape(value[name], `${place}.${name}`)
        if (problem !== null) return problem
      } else if (Object.hasOwn(required, name)) return `${place} lacks the field ${name}`
    }
    return null
  }
}

function allowed(known: Fields): string {
  const names = Object.keys(known)
  return names.length === 0 ? 'it has none' : `known are ${names.join(', ')}`
}

/** An object with exactly one of these fields. */
export function oneOfFields(known: Fields): Shape {
  return (value, place) => {
    const names = isObject(value) ? Object.keys(value) : []
    const [name = ''] = names
    const shape = Object.hasOwn(known, name) ? known[name] : undefined
    if (!isObject(value) || names.length !== 1 || shape === undefined)
      return `${place} must be an object with one of the fields ${Object.keys(known).join(', ')}`
    return shape(value[name], `${place}.${name}`)
  }
}

export function list(of: Shape, lengthMax: number): Shape {
  return (value, place) => {
    if (!Array.isArray(value)) return `${place} must be a list`
    if (value.length > lengthMax) return `${place} has ${value.length} items, the most is ${lengthMax}`
    for (const [index, item] of value.entries()) {
      const problem = of(item, `${place}[${index}]`)
      if (problem !== null) return problem
    }
    return null
  }
}

export function either(one: Shape, other: Shape): Shape {
  return (value, place) => {
    const problem = one(value, place)
    return problem === null || other(value, place) === null ? null : problem
  }
}

export const text: Shape = (value, place) => (typeof value === 'string' ? null : `${place} must be a text`)
export const onOff: Shape = (value, place) => (typeof value === 'boolean' ? null : `${place} must be true or false`)
export const object: Shape = (value, place) => (isObject(value) ? null : `${place} must be an object`)

export function choice(of: readonly string[]): Shape {
  return (value, place) =>
    typeof value === 'string' && of.includes(value) ? null : `${place} must be one of ${of.join(', ')}`
}

export function whole(min: number, max: number, unit: string): Shape {
  return (value, place) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? null
      : `${place} must be a whole number from ${min} to ${max} (${unit})`
}

export function amount(min: number, max: number, unit: string): Shape {
  return (value, place) =>
    typeof value === 'number' && value >= min && value <= max
      ? null
      : `${place} must be a number from ${min} to ${max} (${unit})`
}

/** Of a file in the session's folder. That no link leads out of it is looked at when it is used. */
export const path: Shape = (value, place) => {
  const isInside =
    typeof value === 'string' &&
    value !== '' &&
    !value.startsWith('/') &&
    !value.includes('\0') &&
    !value.split('/').includes('..')
  return isInside ? null : `${place} must be a path inside the session's folder; only writeOutside may leave it`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
