// `ralph init --claude`: Ralph's skills and hooks in the user's repository.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratch, type Scratch } from '../rig/scratch.ts'

const PLUGIN = join(import.meta.dirname, '../../plugin')
const FILES = [
  '.claude/hooks/ralph-release.sh',
  '.claude/settings.json',
  '.claude/skills/ralph-build/SKILL.md',
  '.claude/skills/ralph-plan/SKILL.md',
  '.claude/skills/ralph-spec/SKILL.md',
]

const read = (made: Scratch, path: string) => readFileSync(join(made.folder, path), 'utf8')
const write = (made: Scratch, path: string, text: string) => {
  mkdirSync(join(made.folder, path, '..'), { recursive: true })
  writeFileSync(join(made.folder, path), text)
}
/** Every file below `.claude`. */
const filesOf = (made: Scratch) =>
  readdirSync(join(made.folder, '.claude'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(made.folder.length + 1))
    .toSorted()

/** All names in the scratch folder, but for what git keeps; links are not followed. */
const everything = (made: Scratch) =>
  ['', 'project', 'project/.claude'].map((path) => {
    const folder = join(made.root, path)
    return existsSync(folder) ? readdirSync(folder).toSorted() : []
  })

describe('ralph init --claude', () => {
  it('writes ralph.toml, skills and hooks, and says what and how to remove it', () => {
    const made = scratch()
    const { code, stdout, stderr } = made.ralph(['init', '--claude', '--yes'])
    expect(code).toBe(0)
    expect(stdout).toContain('.claude/settings.json')
    expect(stderr).toContain('/ralph-build')
    expect(stderr).toContain('To remove them, delete .claude/skills/ralph-*')
    expect(filesOf(made)).toEqual(FILES)
    expect(read(made, 'ralph.toml')).toContain('[agents]')
    expect(read(made, '.claude/skills/ralph-build/SKILL.md')).toBe(
      readFileSync(join(PLUGIN, 'skills/ralph-build/SKILL.md'), 'utf8'),
    )
    expect(statSync(join(made.folder, '.claude/hooks/ralph-release.sh')).mode & 0o111).toBe(0o111)
    const command = (event: string) => `sh "$CLAUDE_PROJECT_DIR/.claude/hooks/ralph-release.sh" ${event}`
    expect(JSON.parse(read(made, '.claude/settings.json'))).toEqual({
      hooks: {
        SessionEnd: [{ hooks: [{ type: 'command', command: command('session-end'), timeout: 10 }] }],
        PreCompact: [{ hooks: [{ type: 'command', command: command('pre-compact'), timeout: 10 }] }],
      },
    })
  })

  it('changes nothing the second time, also from a folder further down and with nobody to ask', () => {
    const made = scratch()
    made.ralph(['init', '--claude', '--yes'])
    const before = [...FILES, 'ralph.toml'].map((path) => read(made, path))
    const { code, stderr } = made.ralph(['init', '--claude'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('has it all already') })
    expect([...FILES, 'ralph.toml'].map((path) => read(made, path))).toEqual(before)
    expect(filesOf(made)).toEqual(FILES)
  })

  it('keeps what the user has: settings are merged, an edited skill is kept as .old, and ralph.toml stays', () => {
    const made = scratch()
    write(made, 'ralph.toml', '# mine\n')
    write(made, '.claude/skills/ralph-plan/SKILL.md', 'my own\n')
    write(made, '.claude/skills/other/SKILL.md', 'other\n')
    write(made, '.claude/settings.json', '{\n\t"permissions": {"allow": ["Bash(ls)"]}\n}')
    const { code, stdout } = made.ralph(['init', '--claude', '--yes', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      path: join(made.folder, 'ralph.toml'),
      claude: [
        { path: '.claude/skills/ralph-build/SKILL.md', change: 'add' },
        { path: '.claude/skills/ralph-plan/SKILL.md', change: 'replace' },
        { path: '.claude/skills/ralph-spec/SKILL.md', change: 'add' },
        { path: '.claude/hooks/ralph-release.sh', change: 'add' },
        { path: '.claude/settings.json', change: 'merge' },
      ],
    })
    expect(read(made, 'ralph.toml')).toBe('# mine\n')
    expect(read(made, '.claude/skills/ralph-plan/SKILL.md.old')).toBe('my own\n')
    expect(read(made, '.claude/skills/other/SKILL.md')).toBe('other\n')
    expect(JSON.parse(read(made, '.claude/settings.json'))).toMatchObject({ permissions: { allow: ['Bash(ls)'] } })
  })

  it.each<[string, string[], (made: Scratch) => void, string]>([
    ['without --yes and nobody to ask', [], () => {}, 'add --yes'],
    [
      'settings that are no JSON',
      ['--yes'],
      (made) => write(made, '.claude/settings.json', '{,}'),
      'it is not one JSON object',
    ],
    [
      'a link out of the repository',
      ['--yes'],
      (made) => symlinkSync(made.root, join(made.folder, '.claude')),
      'a link leads out',
    ],
    [
      'an agent beside a ralph.toml',
      ['--yes', '--agent', 'codex'],
      (made) => write(made, 'ralph.toml', ''),
      'leave out --agent',
    ],
  ])('refuses %s and writes nothing', (_, words, prepare, sentence) => {
    const made = scratch()
    prepare(made)
    const before = everything(made)
    const { code, stderr } = made.ralph(['init', '--claude', ...words])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(sentence) })
    expect(everything(made)).toEqual(before)
  })
})
