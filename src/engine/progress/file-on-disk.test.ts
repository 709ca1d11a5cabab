import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { editFile, readQuiet } from './file-on-disk.ts'

const long = new Date(0)

function madeFile(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'PLAN.md')
  const save = (words: string): void => {
    writeFileSync(path, words)
    utimesSync(path, long, long)
  }
  save(text)
  return { folder, path, save, read: () => readFileSync(path, 'utf8') }
}

const append = (line: string) => (text: string) => `${text}${line}\n`

describe('editFile', () => {
  it('replaces the file whole, keeps its mode and leaves nothing beside it', async () => {
    const { folder, path, read } = madeFile('one\n')
    linkSync(path, join(folder, 'old inode'))
    chmodSync(path, 0o640)
    expect(await editFile(path, null, append('two'))).toMatchObject({ from: 'one\n', to: 'one\ntwo\n' })
    expect([read(), statSync(path).mode & 0o7777]).toEqual(['one\ntwo\n', 0o640])
    expect(readFileSync(join(folder, 'old inode'), 'utf8')).toBe('one\n')
    expect(readdirSync(folder).toSorted()).toEqual(['PLAN.md', 'old inode'])
  })

  it('writes nothing where nothing changes, or where the edit says not now', async () => {
    const { path } = madeFile('one\n')
    const before = statSync(path)
    expect(await editFile(path, null, (text) => text)).toMatchObject({ from: 'one\n', to: 'one\n' })
    expect(await editFile(path, null, () => null)).toBeNull()
    expect([statSync(path).ino, statSync(path).mtimeMs]).toEqual([before.ino, before.mtimeMs])
  })

  it('replaces what a link leads to, and not the link', async () => {
    const { folder, read } = madeFile('one\n')
    mkdirSync(join(folder, 'elsewhere'))
    const link = join(folder, 'elsewhere', 'LINK.md')
    symlinkSync('../PLAN.md', link)
    await editFile(link, null, append('two'))
    expect([lstatSync(link).isSymbolicLink(), readlinkSync(link), read()]).toEqual([true, '../PLAN.md', 'one\ntwo\n'])
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual(['LINK.md'])
  })

  const saves: [string, (path: string, text: string) => void][] = [
    ['in place', (path, text) => writeFileSync(path, text)],
    [
      'by renaming a new file over it',
      (path, text) => {
        writeFileSync(`${path}.swp`, text)
        renameSync(`${path}.swp`, path)
      },
    ],
  ]
  it.each(saves)('is made again on what a person saves meanwhile, %s', async (_, saveTo) => {
    const { path, read, folder } = madeFile('one\n')
    let asked = 0
    const edited = await editFile(path, null, (text) => {
      asked += 1
      if (asked <= 2) saveTo(path, `person ${asked}\n`)
      return `${text}two\n`
    })
    expect(edited).toMatchObject({ from: 'person 2\n', to: 'person 2\ntwo\n' })
    expect([read(), readdirSync(folder)]).toEqual(['person 2\ntwo\n', ['PLAN.md']])
  })

  it('sees a save of the same length in the same instant', async () => {
    const { path, save, read } = madeFile('one\n')
    let asked = 0
    await editFile(path, null, (text) => {
      asked += 1
      if (asked === 1) save('uno\n')
      return `${text}two\n`
    })
    expect(read()).toBe('uno\ntwo\n')
  })

  it('does not bring back a file that a person took away', async () => {
    const { folder, path } = madeFile('one\n')
    const call = editFile(path, null, (text) => {
      rmSync(path)
      return `${text}two\n`
    })
    await expect(call).rejects.toMatchObject({
      code: 'FILE_UNWRITABLE',
      message: expect.stringMatching(/no such file/),
    })
    expect(readdirSync(folder)).toEqual([])
  })

  it('takes the draft of a dead process away, and waits for that of a living one', async () => {
    const { folder, path, read } = madeFile('one\n')
    const draft = join(folder, '.PLAN.md.ralph-draft')
    writeFileSync(draft, 'half')
    utimesSync(draft, long, long)
    await editFile(path, null, append('two'))
    writeFileSync(draft, 'half')
    const living = setTimeout(() => rmSync(draft), 150)
    await editFile(path, null, append('three'))
    expect(living.hasRef() && existsSync(draft)).toBe(false)
    expect([read(), readdirSync(folder)]).toEqual(['one\ntwo\nthree\n', ['PLAN.md']])
  })

  it('keeps every one of many edits at once', async () => {
    const { path, read } = madeFile('start\n')
    const lines = Array.from({ length: 8 }, (_, at) => `line ${at}`)
    await Promise.all(lines.map((line) => editFile(path, null, append(line))))
    expect(read().trimEnd().split('\n').toSorted()).toEqual([...lines, 'start'])
  })
})

describe('readQuiet', () => {
  it('waits for a save that is under way', async () => {
    const { path, read } = madeFile('old\n')
    writeFileSync(path, '')
    const parts = ['# Progress: X\n', '## Tasks\n', '- [ ] a\n']
    const saving = (async () => {
      for (const part of parts) {
        // In the next turns, long before the file counts as quiet, however busy the machine is.
        await new Promise((resolve) => setImmediate(resolve))
        writeFileSync(path, part, { flag: 'a' })
      }
    })()
    const { text } = await readQuiet(path, 'old\n')
    await saving
    expect([text, read()]).toEqual([parts.join(''), parts.join('')])
  })

  it('waits for an editor that moves the old file away first', async () => {
    const { path } = madeFile('old\n')
    renameSync(path, `${path}~`)
    setTimeout(() => writeFileSync(path, 'new\n'), 20)
    expect((await readQuiet(path, 'old\n')).text).toBe('new\n')
  })
})

/** Saves in place, one note after the other, as soon as the last one is seen to be kept; without the usual pauses. */
const EDITOR = `
  import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
  const [path, count] = [process.argv[1], Number(process.argv[2])]
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  for (let note = 1; note <= count; note += 1) {
    const text = readFileSync(path, 'utf8')
    if (!text.startsWith('start') || !text.endsWith('end\\n')) throw new Error('torn: ' + JSON.stringify(text))
    writeFileSync(path, text.replace('end\\n', 'note ' + note + '\\nend\\n'))
    utimesSync(path, 0, 0)
    await pause(Math.random() * 3)
    for (let round = 0; !readFileSync(path, 'utf8').includes('note ' + note + '\\n'); round += 1) {
      if (round === 1000) throw new Error('note ' + note + ' was lost')
      await pause(5)
    }
  }
`

function startEditor(path: string, count: number): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', EDITOR, path, String(count)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

it('loses nothing that an editor in another process saves', async () => {
  const { path, read } = madeFile('start\nend\n')
  const editor = startEditor(path, 150)
  const exit = once(editor, 'exit')
  const isRunning = (): boolean => editor.exitCode === null && editor.signalCode === null
  let known: string | null = null
  for (let edits = 1; isRunning(); edits += 1) {
    const ours = (text: string) => (text.endsWith('end\n') ? text.replace(/^start.*/, `start ${edits}`) : null)
    known = (await editFile(path, known, ours))?.to ?? known
  }
  expect(await exit).toEqual([0, null])
  const notes = read().match(/note \d+/g)
  expect(notes).toEqual(Array.from({ length: 150 }, (_, at) => `note ${at + 1}`))
  expect(read()).toMatch(/^start \d+\n/)
})
