import { describe, expect, it } from 'vitest'
import { RalphError } from '../../core/error/error.ts'
import { requireRunnable, shell, type Command } from './command.ts'
import { notStarted } from './not-started.ts'
import { run } from './spawn.ts'

const good: Command = { argv: ['true'], cwd: '/', env: {} }

describe('a command', () => {
  const cases: readonly (readonly [Partial<Command>, string])[] = [
    [{ argv: [] }, 'cannot run "": it names no program'],
    [{ argv: ['', 'x'] }, 'cannot run "": it names no program'],
    [{ argv: ['echo', 'a\0b'] }, 'cannot run "echo": an argument holds a NUL character; take it out'],
    [{ argv: ['a\0b'] }, 'cannot run "a\\u0000b": an argument holds a NUL character; take it out'],
    [{ env: { A: 'x\0y' } }, 'cannot run "true": the environment variable A holds a NUL character; take it out'],
    [{ env: { 'A=B': 'x' } }, 'cannot run "true": the environment holds a bad name "A=B"'],
    [{ env: { '': 'x' } }, 'cannot run "true": the environment holds a bad name ""'],
    [{ cwd: 'here' }, 'cannot run "true": its folder must be an absolute path without a NUL character'],
    [{ cwd: '/a\0b' }, 'cannot run "true": its folder must be an absolute path without a NUL character'],
    [{ deadlineMs: -1 }, 'cannot run "true": deadlineMs must be a number that is not negative'],
    [{ idleMs: Number.NaN }, 'cannot run "true": idleMs must be a number that is not negative'],
    [{ keep: { headBytes: 1.5, tailBytes: 0 } }, 'cannot run "true": keep takes whole bytes from 0 to 268435456'],
    [{ keep: { headBytes: 0, tailBytes: 1e12 } }, 'cannot run "true": keep takes whole bytes from 0 to 268435456'],
  ]
  it.each(cases)('%j is refused', async (wrong, sentence) => {
    const error: unknown = await run({ ...good, ...wrong }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RalphError)
    expect(error).toMatchObject({ code: 'COMMAND_BAD', message: sentence })
  })

  it('without a fault is taken', () => {
    expect(requireRunnable(good)).toBe(undefined)
  })

  it('of a user goes through a shell by name', () => {
    expect(shell('npm test && echo "$HOME"')).toEqual(['/bin/sh', '-c', 'npm test && echo "$HOME"'])
  })
})

describe('notStarted', () => {
  it.each([
    ['EAGAIN', 'the system has no room for another process to run "true"; end some and try again'],
    ['ENOMEM', 'the system has no room for another process to run "true"; end some and try again'],
    ['EMFILE', 'no file descriptor is free to run "true"; raise the limit (ulimit -n) or run fewer at once'],
    ['EIO', '"true" could not be started (EIO); run it by hand to see why'],
  ])('%s', (errno, sentence) => {
    expect(notStarted(good, Object.assign(new Error('spawn'), { code: errno }))).toEqual({ errno, sentence })
  })
})
