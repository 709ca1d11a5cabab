import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withDetected } from './adopt-settings.ts'
import { AGENT_NAMES, type AgentName, type Config } from '../settings/config.ts'
import { type DetectedProject, detectProject } from './detect.ts'
import { renderConfig, writeConfig } from './init.ts'
import { loadConfig } from '../settings/load.ts'
import { fillFolder, madeFolder } from '../../../test/rig/folder.ts'

const projects: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  nothing: {},
  node: {
    'package.json': JSON.stringify({ scripts: { test: 'vitest', lint: 'oxlint', typecheck: 'tsc' } }),
    'package-lock.json': '{}',
  },
  placeholder: { 'package.json': JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }) },
  python: { 'requirements.txt': 'pytest\n', 'ruff.toml': '', 'mypy.ini': '' },
  go: { 'go.mod': '', 'go.sum': '' },
  rust: { 'Cargo.toml': '[workspace]', 'Cargo.lock': '' },
  make: { Makefile: 'test:\n\t./t\n' },
  several: { 'package.json': '{"scripts":{"test":"x"}}', 'pytest.ini': '', 'go.mod': '' },
  parts: { 'web/package.json': '{"scripts":{"test":"x"}}', 'api/go.mod': '', 'api/go.sum': '' },
}

/** The file's own effect: what it says over the defaults, as a build without it would have detected. */
function settingsOf({ origins: _, ...settings }: Config): object {
  return settings
}

describe('renderConfig', () => {
  it.each(Object.entries(projects))('writes for %s what a build without the file would take', async (_, files) => {
    const folder = await madeFolder(files)
    const detected = await detectProject(folder)
    const without = withDetected(await loadConfig({ folder }), detected)
    await writeConfig(folder, renderConfig(detected, 'claude'))
    expect(settingsOf(await loadConfig({ folder }))).toEqual(settingsOf(without))
  })

  it('is short and says why', async () => {
    const detected = await detectProject(await madeFolder(projects['node']))
    expect(renderConfig(detected, 'codex')).toBe(`\
# Settings of Ralph for this repository. What is not here has its default.
# The file is read when a build starts; what an agent changes in it has no effect on that build.

[agents]
default = "codex"

# Run in this order on every piece of work; a red one keeps it out.
[checks]
typecheck = "npm run typecheck"   # package.json has a script "typecheck"
lint = "npm run lint"   # package.json has a script "lint"
unit = "npm test"   # package.json has a script "test"

# Makes a fresh workspace runnable.
[workspace]
setup = "npm ci"   # package-lock.json

# [limits]
# budget_usd = 10             # US dollars per build; 0 = no limit
`)
  })

  it('says what was not taken, and leaves [checks] to be written', async () => {
    const detected = await detectProject(await madeFolder(projects['placeholder']))
    const text = renderConfig(detected, 'claude')
    expect(text).toContain('# package.json: script "test" not taken, it is the placeholder that npm init writes\n')
    expect(text).toContain('# No check was found.')
    expect(text).not.toMatch(/^\[checks\]/m)
  })

  it.each(AGENT_NAMES)('loads with the agent %s', async (agent) => {
    const folder = await madeFolder()
    await writeConfig(folder, renderConfig(await detectProject(folder), agent))
    expect((await loadConfig({ folder })).agents.default).toBe(agent)
  })

  it('hands the variables on that the agent logs in by', async () => {
    const folder = await madeFolder()
    const names = ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL']
    await writeConfig(folder, renderConfig(await detectProject(folder), 'claude', names))
    expect((await loadConfig({ folder })).agent.claude.env).toEqual(names)
  })

  it('loads back to what was detected, whatever that was', async () => {
    const folder = await madeFolder()
    await fc.assert(
      fc.asyncProperty(project, fc.constantFrom<AgentName>(...AGENT_NAMES), async (detected, agent) => {
        await fillFolder(folder, { 'ralph.toml': renderConfig(detected, agent) })
        const { agents, checks, workspace } = await loadConfig({ folder })
        expect(agents.default).toBe(agent)
        expect(checks.map(({ name, command, cwd }) => ({ name, command, cwd }))).toEqual(
          detected.checks.map(({ name, command, cwd }) => ({ name, command, cwd })),
        )
        expect(workspace.setup).toBe(detected.setup?.command ?? null)
      }),
    )
  })
})

const text = fc.string({ unit: 'binary' })
const command = text.filter((line) => line.trim() !== '' && !line.includes('\0'))
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }).filter((word) => !/[\s\p{C}]/u.test(word))
const cwd = fc.constantFrom('.', 'web', 'a b/c', 'é')
const project: fc.Arbitrary<DetectedProject> = fc.record({
  stacks: fc.constant([]),
  checks: fc.uniqueArray(fc.record({ name, command, because: text, cwd }), {
    selector: (check) => check.name,
    maxLength: 5,
  }),
  setup: fc.option(fc.record({ command, because: text })),
  notes: fc.array(text, { maxLength: 2 }),
})

describe('writeConfig', () => {
  it('writes the file and leaves nothing else behind', async () => {
    const folder = await madeFolder()
    await writeConfig(folder, '# x\n')
    expect(await readFile(join(folder, 'ralph.toml'), 'utf8')).toBe('# x\n')
    expect(await readdir(folder)).toEqual(['ralph.toml'])
  })

  it('never overwrites, and leaves nothing behind', async () => {
    const folder = await madeFolder({ 'ralph.toml': '# mine\n' })
    await expect(writeConfig(folder, '# x\n')).rejects.toThrow(
      expect.objectContaining({
        code: 'FILE_EXISTS',
        message: `${join(folder, 'ralph.toml')} exists already; edit it, or move it away and run 'ralph init' again`,
      }),
    )
    expect(await readFile(join(folder, 'ralph.toml'), 'utf8')).toBe('# mine\n')
    expect(await readdir(folder)).toEqual(['ralph.toml'])
  })

  it('takes a folder and a broken link of that name for a file that is there', async () => {
    const folder = await madeFolder()
    await mkdir(join(folder, 'ralph.toml'))
    await expect(writeConfig(folder, '')).rejects.toThrow(expect.objectContaining({ code: 'FILE_EXISTS' }))
    const other = await madeFolder()
    await symlink('gone', join(other, 'ralph.toml'))
    await expect(writeConfig(other, '')).rejects.toThrow(expect.objectContaining({ code: 'FILE_EXISTS' }))
    expect(await readdir(other)).toEqual(['ralph.toml'])
  })

  it('lets one of many writers win, whole', async () => {
    const folder = await madeFolder()
    const texts = Array.from({ length: 8 }, (_, index) => `# ${String(index).repeat(5000)}\n`)
    const outcomes = await Promise.allSettled(texts.map((one) => writeConfig(folder, one)))
    const won = texts.filter((_, index) => outcomes[index]?.status === 'fulfilled')
    expect(won).toEqual([await readFile(join(folder, 'ralph.toml'), 'utf8')])
    expect(await readdir(folder)).toEqual(['ralph.toml'])
  })

  it('says why it cannot write', async () => {
    await expect(writeConfig('/nowhere/at/all', '')).rejects.toThrow(
      expect.objectContaining({
        code: 'FILE_UNWRITABLE',
        message: 'cannot write /nowhere/at/all/ralph.toml: no such file or folder',
      }),
    )
  })
})
