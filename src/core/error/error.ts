import { type ErrorKind, errorKinds } from './error-table.ts'

export type ErrorCode = keyof typeof errorKinds

export class RalphError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, details: Readonly<Record<string, string | number>> = {}, cause?: unknown) {
    const sentence = errorKinds[code].sentence.replace(/\{(\w+)\}/g, (_, name: string) =>
      String(details[name] ?? `{${name}}`),
    )
    super(sentence, cause === undefined ? undefined : { cause })
    this.name = 'RalphError'
    this.code = code
  }

  /**
   * Each bundle of the program has its own copy of this class, so an error counts by its shape and not by its
   * constructor.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'RalphError' && 'publicCode' in value
  }

  /** The name that scripts can rely on. */
  get publicCode(): string {
    return `RALPH_${this.code}`
  }

  get exit(): ErrorKind['exit'] {
    return errorKinds[this.code].exit
  }

  get http(): number {
    return errorKinds[this.code].http
  }

  get retryable(): boolean {
    return 'retryable' in errorKinds[this.code]
  }

  get showsUsage(): boolean {
    return 'usage' in errorKinds[this.code]
  }
}

/** `throw refuse('TASK_NOT_FOUND', { id })` */
export function refuse(
  code: ErrorCode,
  details: Readonly<Record<string, string | number>> = {},
  cause?: unknown,
): RalphError {
  return new RalphError(code, details, cause)
}

/** An error of another process, rebuilt here. */
export function errorFromProcess(code: string, message: string): RalphError {
  const known = Object.hasOwn(errorKinds, code) ? (code as ErrorCode) : 'INTERNAL'
  const error = new RalphError(known)
  error.message = message
  return error
}
