// Part of agent.conformance.ts: the folder of an agent, and what it gets from the user's machine.
import { existsSync } from 'node:fs'
import { realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseScratchpad } from '../core/session/scratchpad.ts'
import { tempFolder, type Trial } from './trial.conformance.ts'

const PATH = process.env['PATH']

/** `NAME=value` lines; our own values have no line ends. */
function variablesIn(text: string): Record<string, string> {
  const pairs = text.split('\n').flatMap((line) => {
    const at = line.indexOf('=')
    return at === -1 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const]
  })
  return Object.fromEntries(pairs)
}

export function describeSessionEnvironment({ stage, needs, isOwnVariable }: Trial): void {
  describe('in its surroundings', () => {
    it('writes, appends and deletes files in the folder', async () => {
      const { run, textOf, folder } = await stage([
        { write: { path: 'a/b.txt', content: 'one\n' } },
        { append: { path: 'a/b.txt', content: 'two ✓\n' } },
        { write: { path: 'gone.txt', content: '' } },
        { delete: 'gone.txt' },
      ])
      expect((await run()).failure).toBeNull()
      expect(await textOf('a/b.txt')).toBe('one\ntwo ✓\n')
      expect(existsSync(join(folder, 'gone.txt'))).toBe(false)
    })

    it('runs commands with the folder as its own', async ({ skip }) => {
      needs('commands', skip)
      const { run, textOf, folder } = await stage([{ run: 'pwd -P > where.txt' }, { run: ['touch', 'a file'] }])
      expect((await run()).failure).toBeNull()
      expect(await textOf('where.txt')).toBe(`${folder}\n`)
      expect(await textOf('a file')).toBe('')
    })

    it('leaves a scratchpad in our form', async () => {
      const scratchpad = { done: 'a', testStatus: '1 passed', nextStep: 'b', blockers: 'none' }
      const { run, textOf } = await stage([{ scratchpad }])
      await run({ iteration: 4 })
      expect(parseScratchpad(await textOf('.ralph-scratchpad.md'))).toEqual({ iteration: 4, ...scratchpad })
    })

    it('commits in its own repository, whatever the user has set up', async ({ skip }) => {
      needs('commands', skip)
      const { run, textOf } = await stage([
        { run: 'git init -q .' },
        { write: { path: 'x', content: 'x' } },
        { commit: { message: 'from the agent' } },
        { run: 'git log --format=%s%n%an > log.txt' },
      ])
      await run()
      expect(await textOf('log.txt')).toBe('from the agent\nscripted\n')
    })

    it('gets no variable of its user but those listed', async ({ skip }) => {
      needs('commands', skip)
      const home = await tempFolder()
      const user = { PATH, HOME: home, LANG: 'C.UTF-8', CANARY_ONE: 'canary', LISTED: 'yes', NODE_OPTIONS: '--bad' }
      const { run, textOf } = await stage([{ run: 'env > env.txt' }], { env: ['LISTED', 'UNSET'] }, user)
      await run({ env: { RALPH_SOCKET: '/s' } })
      const { HOME, RALPH_RUN, PATH: path, ...got } = variablesIn(await textOf('env.txt'))
      const ofShellOrGit = /^(PWD|OLDPWD|SHLVL|_|GIT_(CONFIG_|AUTHOR_|COMMITTER_|CEILING_).*)$/
      const rest = Object.entries(got).filter(([name]) => !ofShellOrGit.test(name) && !isOwnVariable(name))
      // Some agents have programs of their own, before all others.
      expect(path?.endsWith(PATH ?? '')).toBe(true)
      const all = { LANG: 'C.UTF-8', TERM: 'dumb', LISTED: 'yes', RALPH_SOCKET: '/s' }
      const expected = Object.entries(all).filter(([name]) => !isOwnVariable(name))
      expect(Object.fromEntries(rest)).toEqual(Object.fromEntries(expected))
      expect(RALPH_RUN).toMatch(/^[0-9a-f:]+$/)
      expect(HOME).not.toBe(home)
      expect(await textOf('env.txt')).not.toContain('canary')
    })

    it('finds the ralph of its session before any other', async ({ skip }) => {
      needs('commands', skip)
      const commands = await tempFolder()
      await writeFile(join(commands, 'ralph'), '#!/bin/sh\necho "$RALPH_SOCKET: $*"\n', { mode: 0o700 })
      const { run, textOf } = await stage([{ run: 'ralph task done "a b" > said.txt' }])
      await run({ env: { RALPH_SOCKET: '/s' }, reach: { socket: '/s', ralph: ['ralph'], commands } })
      expect(await textOf('said.txt')).toBe('/s: task done a b\n')
    })

    it('gets an empty home that is gone afterwards, or its user’s own', async ({ skip }) => {
      needs('plainHome', skip)
      const home = await tempFolder()
      const look = [{ run: 'echo "$HOME" > home.txt; ls -A "$HOME" | wc -l >> home.txt; touch "$HOME/mark"' }]
      const apart = await stage(look, { credentials: 'none' }, { PATH, HOME: home })
      await apart.run()
      const [temporary = '', entries] = (await apart.textOf('home.txt')).split('\n')
      expect(entries?.trim()).toBe('0')
      expect(existsSync(join(home, 'mark'))).toBe(false)
      expect(temporary).not.toBe('')
      expect(existsSync(temporary)).toBe(false)
      const own = await stage(look, { credentials: 'user' }, { PATH, HOME: home })
      await own.run()
      expect(await realpath((await own.textOf('home.txt')).split('\n')[0] ?? '')).toBe(home)
      expect(existsSync(join(home, 'mark'))).toBe(true)
    })

    it('works beside others without mixing', async () => {
      const stages = await Promise.all(
        Array.from({ length: 4 }, (_, at) =>
          stage([{ say: `I am ${at}` }, { write: { path: 'me', content: `${at}` } }, { answerText: `${at}` }]),
        ),
      )
      const outcomes = await Promise.all(stages.map(({ run }) => run()))
      expect(outcomes.map(({ finalMessage }) => finalMessage.trim().at(-1))).toEqual(['0', '1', '2', '3'])
      expect(await Promise.all(stages.map(({ textOf }) => textOf('me')))).toEqual(['0', '1', '2', '3'])
    })

    it('may lose its folder without harm to us', async ({ skip }) => {
      needs('commands', skip)
      const { run, folder } = await stage([{ deleteFolder: {} }, { signal: { kind: 'ITERATION_DONE' } }])
      expect((await run()).failure).toBeNull()
      expect(existsSync(folder)).toBe(false)
    })

    it('fails where its folder is missing, which is not the program’s fault', async () => {
      const { run, folder } = await stage([])
      const missing = join(folder, 'missing')
      expect((await run({ folder: missing })).failure).toEqual({
        kind: 'crashed',
        sentence: `the folder ${JSON.stringify(missing)} cannot be entered (ENOENT); make it, or name another`,
        until: null,
      })
    })
  })
}
