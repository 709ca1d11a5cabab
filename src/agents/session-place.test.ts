import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makePlace, sweepPlaces } from './session-place.ts'
import { tempFolder } from './trial.conformance.ts'

/** For this test alone, places are made in a folder of its own. */
async function ownTemp(): Promise<string> {
  const before = process.env['TMPDIR']
  onTestFinished(() => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  })
  return (process.env['TMPDIR'] = await tempFolder())
}

/** An engine that makes a place, does something in its home, and is killed at once. */
function killedEngine(agent: string, then: string): void {
  const here = import.meta.dirname
  const code = `
    const { makePlace } = await import('${here}/session-place.ts')
    const { home } = await makePlace({ agent: '${agent}', prompt: 'p', home: 'own' });
    ${then};
    process.kill(process.pid, 'SIGKILL')`
  expect(spawnSync(execPath, ['--input-type=module', '-e', code]).signal).toBe('SIGKILL')
}

describe('the place of a session', () => {
  it('is its user’s alone, and is gone afterwards', async () => {
    const temp = await ownTemp()
    const { promptFile, home, remove } = await makePlace({ agent: 'claude', prompt: 'do it', home: 'own' })
    expect(await readFile(promptFile, 'utf8')).toBe('do it')
    expect(await readdir(home ?? '')).toEqual([])
    await remove()
    expect(await readdir(temp)).toEqual([])
  })

  it.each([
    ['nothing is asked for', null, 'user', []],
    ['a home is', null, 'own', [['home', 'owner.json']]],
    ['a prompt is', 'do it', 'user', [['owner.json', 'prompt.md']]],
  ] as const)('holds no more than that where %s', async (_, prompt, home, held) => {
    const temp = await ownTemp()
    const place = await makePlace({ agent: 'command', prompt, home })
    expect(await readFile(place.promptFile, 'utf8')).toBe(prompt ?? '')
    const folders = await readdir(temp)
    expect(await Promise.all(folders.map(async (name) => (await readdir(join(temp, name))).sort()))).toEqual(held)
    await place.remove()
    expect(await readdir(temp)).toEqual([])
  })

  it('that a killed engine left is removed, and what was lent is asked back first', async () => {
    const temp = await ownTemp()
    killedEngine('claude', `(await import('node:fs')).writeFileSync(home + '/mark', 'renewed')`)
    expect(await readdir(temp)).toHaveLength(1)
    const salvaged: string[] = []
    const takeBackRenewed = async (home: string): Promise<void> => {
      salvaged.push(await readFile(join(home, 'mark'), 'utf8'))
    }
    const borrow = async () => ({ secrets: () => [], giveBack: async () => {} })
    await sweepPlaces('claude', { borrow, takeBackRenewed })
    expect([salvaged, await readdir(temp)]).toEqual([['renewed'], []])
  })

  it('is removed even where nothing can be asked back', async () => {
    const temp = await ownTemp()
    killedEngine('claude', '')
    const borrow = async () => ({ secrets: () => [], giveBack: async () => {} })
    await sweepPlaces('claude', { borrow, takeBackRenewed: () => Promise.reject(new Error('no')) })
    expect(await readdir(temp)).toEqual([])
  })

  it('stays where its engine lives, where it is another agent’s, or is no place of ours', async () => {
    const temp = await ownTemp()
    const mine = await makePlace({ agent: 'claude', prompt: '', home: 'own' })
    killedEngine('codex', '')
    await mkdir(join(temp, 'ralph-session-begun'))
    await symlink('/etc', join(temp, 'ralph-session-link'))
    await writeFile(join(temp, 'ralph-session-file'), '')
    await mkdir(join(temp, 'ralph-session-odd'))
    await writeFile(join(temp, 'ralph-session-odd/owner.json'), '{')
    const before = await readdir(temp)
    await sweepPlaces('claude', undefined)
    expect(await readdir(temp)).toEqual(before)
    expect(existsSync('/etc/passwd')).toBe(true)
    await mine.remove()
  })

  it('without an owner goes after two days', async () => {
    const temp = await ownTemp()
    const old = join(temp, 'ralph-session-old')
    await mkdir(old)
    const then = Date.now() / 1000 - 3 * 86_400
    await utimes(old, then, then)
    await sweepPlaces('claude', undefined)
    expect(existsSync(old)).toBe(false)
  })
})
