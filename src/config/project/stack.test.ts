import { describe, expect, it } from 'vitest'
import { found } from './stack.ts'

describe('found', () => {
  it('leaves out what is null', () => {
    const unit = { command: 'x', because: 'y' }
    expect(Object.keys(found({ typecheck: null, lint: null, unit }))).toEqual(['unit'])
  })
})
