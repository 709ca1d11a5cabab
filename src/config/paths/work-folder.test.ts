import { describe, expect, it } from 'vitest'
import { workFolder } from './work-folder.ts'

const repository = { commonDir: '/home/ada/shop/.git', gitDir: '/home/ada/shop/.git' }
const name = /^shop-[0-9a-f]{12}$/

describe('workFolder', () => {
  it.each([
    ['the cache that is named', { XDG_CACHE_HOME: '/cache', HOME: '/home/ada' }, '/cache/ralph/'],
    ['the cache at home', { HOME: '/home/ada' }, '/home/ada/.cache/ralph/'],
    [
      'the cache at home, where the named one is relative',
      { XDG_CACHE_HOME: 'x', HOME: '/home/ada' },
      '/home/ada/.cache/ralph/',
    ],
  ])('is in %s', (_, env, start) => {
    const folder = workFolder(repository, env)
    expect(folder.startsWith(start)).toBe(true)
    expect(folder.slice(start.length)).toMatch(name)
  })

  it('is never below a git dir, unless there is no home at all', () => {
    expect(workFolder(repository, { HOME: '/home/ada' })).not.toContain('.git')
    expect(workFolder(repository, {})).toBe('/home/ada/shop/.git/ralph')
  })

  it('is another one for another repository, and the same for its linked worktrees', () => {
    const env = { HOME: '/home/ada' }
    const other = workFolder({ ...repository, commonDir: '/srv/shop/.git' }, env)
    const linked = workFolder({ ...repository, gitDir: '/home/ada/shop/.git/worktrees/next' }, env)
    expect(other).not.toBe(workFolder(repository, env))
    expect(linked).toBe(workFolder(repository, env))
  })
})
