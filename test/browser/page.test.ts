// The page as people use it: a real browser, a real server, real builds by the scripted agent.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from './chromium.ts'
import { openStage, type Stage } from './stage.ts'
import { HANG_MS } from '../rig/hang.ts'
import { SIA_GIVES_UP, work } from '../rig/sessions.ts'

const chromium = findChromium()
const WAIT_MS = HANG_MS
const PHONE = { width: 380, height: 800 }

const session = (task: string, ...numbers: number[]) => ({ role: 'implementer', task, steps: work(task, ...numbers) })
const plan = {
  role: 'planner',
  steps: [
    { say: 'small steps first' },
    {
      answer: {
        notes: 'small steps',
        tasks: ['alpha', 'beta', 'gamma'].map((id) => ({
          id,
          title: `Add ${id}`,
          goal: `A function ${id}`,
          acceptance: [`${id}() has its number`],
          depends_on: id === 'alpha' ? [] : ['alpha'],
          files_expected: [`${id}.js`],
          type: 'api',
        })),
      },
    },
  ],
}
const button = (page: Page | Locator, name: string | RegExp): Locator => page.getByRole('button', { name, exact: true })
const shown = (page: Page | Locator, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor()
const serious = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
}
/** Nothing is wider than the window. */
const fits = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')
async function titled(page: Page, start: string): Promise<void> {
  await expect.poll(() => page.title(), { timeout: WAIT_MS }).toMatch(new RegExp(`^${start}`))
}

describe.skipIf(chromium === null)('the page', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(chromium ?? '')
    stage.context.setDefaultTimeout(WAIT_MS)
  })
  afterAll(() => stage?.end())

  /** An agent that waits for a word goes on when it is allowed to. */
  const wait = (word: string) => ({ run: `until [ -e '${join(stage.made.root, word)}' ]; do sleep 0.02; done` })
  const allow = (word: string): void => writeFileSync(join(stage.made.root, word), '')

  it('lets nobody in without the link, and says what to do', async () => {
    const untrackedFile = await stage.context.browser()?.newContext()
    const page = await untrackedFile?.newPage()
    const answer = await page?.goto(`${stage.address}/build/b_1`)
    expect([answer?.status(), await page?.locator('body').innerText()]).toEqual([
      401,
      expect.stringContaining('or the link that it printed'),
    ])
    await untrackedFile?.close()
  })

  it('teaches where there is nothing yet, and at an address that is none', async () => {
    const page = await stage.visit('/')
    await shown(page, 'No build yet')
    expect([await page.title(), await serious(page)]).toEqual(['Builds · Ralph', []])
    await page.goto(`${stage.address}/nothing/here`)
    await shown(page, 'There is nothing at this address')
    await page.goto(`${stage.address}/build/b_none`)
    await shown(page, "Build 'b_none' not found")
    await page.close()
  })

  it('a build that runs is paused, resumed and aborted', async () => {
    const { made } = stage
    made.play({ ...session('two'), steps: [{ say: 'taking my time' }, { sleep: 60_000 }] })
    made.ok('create', 'two', 'Add two')
    const page = await stage.visit('/build/shop')
    await shown(page, 'Not started yet')
    const home = await stage.visit('/')
    await shown(home, 'No build yet')
    await stage.post('/api/build/shop/start')
    // Both hear of it by themselves.
    await shown(page, '0 / 1 tasks')
    await shown(home, 'Running')
    await home.getByRole('link', { name: /Add two\s*b_/ }).waitFor()
    await home.close()
    await shown(page.getByRole('list', { name: 'Tasks' }), 'Running')
    await shown(page.getByRole('region', { name: 'Live Activity' }), 'the agent works')
    expect(await page.title()).toBe('0/1 active · Add two · Ralph')
    expect(await button(page, 'Run Next Step').isDisabled()).toBe(true)
    // The page shows the agent's output while the session runs.
    await page.getByRole('link', { name: /^Add two/ }).click()
    await page.getByRole('link', { name: '1.1 running' }).click()
    await shown(page.getByRole('region', { name: 'Transcript' }), 'taking my time')
    await button(page, 'Stop following').click()
    await page.getByRole('link', { name: 'The build' }).click()
    await button(page, 'Pause').click()
    await titled(page, '0/1 paused')
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toMatch(/paused/)
    await button(page, 'Resume').click()
    await titled(page, '0/1 active')
    await button(page, 'Abort').click()
    await button(page.getByRole('dialog'), 'Cancel').click()
    await button(page, 'Abort').click()
    await button(page.getByRole('dialog'), 'Abort the build').click()
    await shown(page.getByRole('region', { name: 'Build' }), 'Aborted')
    expect((await stage.get('/api/build/shop')).body).toMatchObject({ phase: 'aborted' })
    await page.close()
    made.ok('delete', 'two')
  })

  it('a build is driven by hand: planned, stepped, a failed step retried, then handed to a loop', async () => {
    const { made } = stage
    const gamma = { role: 'implementer', task: 'gamma', steps: [{ signal: { kind: 'TASK_STUCK', reason: 'which?' } }] }
    const alpha = [session('alpha', 4, 3), { ...session('alpha', 3), attempt: 2 }]
    made.play(plan, ...alpha, session('beta', 1, 2), gamma, SIA_GIVES_UP)
    await stage.post('/api/build/start', { project_id: 'hand', seed: { brief: { goal: 'numbers' } } })
    const page = await stage.visit('/build/hand')
    await shown(page, 'No tasks yet')
    await button(page, 'Run Next Step').click()
    await shown(page, '0 / 3 tasks')
    expect(await button(page, 'Retry Step').isDisabled()).toBe(true)
    // Implementing, then verifying, which is red.
    await page.getByRole('link', { name: 'Build Timeline' }).click()
    await shown(page.getByRole('region', { name: 'Current task' }), 'alpha() has its number')
    for (const phase of ['Verifying', 'Iterating']) {
      await button(page, 'Run Next Step').click()
      await shown(page.getByRole('region', { name: 'Current task' }), phase)
    }
    await shown(page.getByRole('region', { name: 'Last patch' }), 'alpha.test.js')
    await shown(page.getByRole('region', { name: 'Validator and checks' }), 'Checks: errors')
    await shown(page.getByRole('region', { name: 'Reviewer' }), 'Changes requested')
    await button(page, 'Retry Step').click()
    await shown(page.getByRole('region', { name: 'Current task' }), 'Verifying')
    await button(page, 'Resume').click()
    await stage.saw('hand', 'humanNeeded', 2)
    await shown(page, 'Human intervention needed')
    await page.close()
  })

  it('a task that waits: retried, answered, a red fix refused, a green one merged, another skipped', async () => {
    const { made } = stage
    const page = await stage.visit('/build/hand')
    const banner = page.getByRole('region', { name: 'Human intervention needed: beta' })
    await shown(banner, 'Add beta')
    await shown(banner, /I cannot count/)
    await titled(page, 'Human needed \\(1/3\\)')
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toMatch(/asking/)
    expect(await serious(page)).toEqual([])

    await button(banner, 'Retry').click()
    await stage.saw('hand', 'humanNeeded', 3)
    await shown(banner, 'Add beta')
    await button(banner, 'Answer').click()
    await page.getByLabel('What should it know?').fill('two is two')
    await button(page.getByRole('dialog'), 'Answer and try again').click()
    await shown(page.getByRole('region', { name: 'Live Activity' }), /answered: two is two/)
    await stage.saw('hand', 'humanNeeded', 4)
    await shown(banner, 'Add beta')

    await button(banner, "I've fixed it").click()
    const dialog = page.getByRole('dialog')
    const folder = (await dialog.locator('code').innerText()).replace(/^cd '?|'$/g, '')
    await page.getByLabel('What did you do?').fill('counted again')
    expect(await serious(page)).toEqual([])
    await button(dialog, 'Verify and merge').click()
    await shown(dialog, /is kept but not merged, since it is not verified/)
    writeFileSync(join(folder, 'beta.js'), 'export const beta = () => 2\n')
    await button(dialog, 'Verify and merge').click()
    await dialog.waitFor({ state: 'detached' })
    expect(made.git('log', '-1', '--format=%s', `ralph/${made.build()}`)).toBe('fix: Manual resolution for Add beta\n')

    const other = page.getByRole('region', { name: 'Human intervention needed: gamma' })
    await button(other, 'Skip this task').click()
    await shown(page.getByRole('region', { name: 'Build' }), 'Complete')
    await shown(page, '2 / 3 tasks')
    await shown(page.getByRole('list', { name: 'Tasks' }), 'Skipped')
    await page.close()
  })

  it('the last patch is taken back, and the build goes on', async () => {
    const { made } = stage
    made.play(session('beta', 2))
    const page = await stage.visit('/build/hand')
    await button(page, 'Revert last patch').click()
    await button(page.getByRole('dialog'), 'Revert it').click()
    await shown(page, '1 / 3 tasks')
    await shown(page.getByRole('region', { name: 'Live Activity' }), /Reverted by/)
    await button(page, 'Resume').click()
    await shown(page, '2 / 3 tasks')
    await shown(page.getByRole('region', { name: 'Build' }), 'Complete')
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toMatch(/done/)
    await page.close()
  })

  it('a build is seen as a list, a graph, a timeline and a log, each at an address of its own', async () => {
    const page = await stage.visit('/')
    await page.getByRole('link', { name: new RegExp(stage.made.build()) }).click()
    await page.getByRole('link', { name: 'Graph' }).click()
    const graph = page.getByRole('region', { name: 'Dependency graph' })
    await graph.getByText('Add gamma').waitFor()
    expect([await page.locator('.react-flow__edge').count(), await serious(page)]).toEqual([2, []])
    await page.getByRole('link', { name: 'Planning' }).click()
    await shown(page.getByRole('region', { name: 'What the planner said' }), 'small steps first')
    expect(await serious(page)).toEqual([])
    await page.getByRole('link', { name: 'Log' }).click()
    await shown(page.getByRole('region', { name: 'Log' }), 'Build complete')
    await button(page, 'Stop following').click()
    await page.getByRole('region', { name: 'Log' }).press('Home')
    await shown(page.getByRole('region', { name: 'Log' }), 'The plan is made')
    expect(await serious(page)).toEqual([])
    await page.reload()
    await shown(page.getByRole('region', { name: 'Log' }), 'Build complete')
    await page.getByRole('link', { name: 'Build Timeline' }).click()
    await shown(page.getByRole('region', { name: 'Phases' }), 'Ready')
    expect(await serious(page)).toEqual([])
    await page.goBack()
    await shown(page.getByRole('region', { name: 'Log' }), 'Build complete')
    await page.close()
  })

  it('a task shows its sessions: what was said, changed, checked and reviewed, and how to check it again', async () => {
    const { made } = stage
    const page = await stage.visit(`/build/${made.build()}/task/alpha`)
    await shown(page.getByRole('region', { name: 'What is wanted' }), 'alpha() has its number')
    await shown(page.getByRole('region', { name: 'Lines of alpha.js' }), 'export const alpha = () => 3')
    await page.getByRole('link', { name: /^1\.1/ }).click()
    await shown(page.getByRole('region', { name: 'Session' }), 'scripted')
    await shown(page.getByRole('region', { name: 'Transcript' }), 'working on alpha')
    await page.getByRole('link', { name: 'Diff' }).click()
    await shown(page.getByRole('region', { name: 'Lines of alpha.js' }), 'export const alpha = () => 4')
    await button(page, 'alpha.js +1 −0').click()
    await page.getByRole('region', { name: 'Lines of alpha.js' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Checks and evidence' }).click()
    await shown(page.getByRole('region', { name: 'Output of unit' }), /not ok|failing tests/)
    await button(page, 'Copy the command of unit').first().click()
    const command: string = await page.evaluate('navigator.clipboard.readText()')
    expect(rerun(command)).toBe(1)
    await page.getByRole('link', { name: /^2\.1/ }).click()
    await button(page, /^unit green/)
      .first()
      .click()
    await button(page, 'Copy the command of unit').first().click()
    expect(rerun(await page.evaluate('navigator.clipboard.readText()'))).toBe(0)
    await page.getByRole('link', { name: 'Review' }).click()
    await shown(page, 'Approved')
    await page.getByRole('link', { name: 'Scratchpad' }).click()
    await shown(page, 'It left nothing.')
    expect([await page.title(), await serious(page)]).toEqual(['2/3 complete · numbers · Ralph', []])
    await page.close()
  })

  it('who is asked about a task is read as it is, and a session tells by itself when it says more', async () => {
    const { made } = stage
    const settings = made.read('ralph.toml')
    const approve = { answer: { decision: 'approve', reasons: ['as asked'], required_fixes: [] } }
    made.play(
      {
        ...session('live'),
        steps: [{ say: 'first words' }, wait('work'), { say: 'more words' }, wait('end'), ...work('live')],
      },
      { role: 'reviewer', steps: [{ say: 'is it right?' }, wait('review'), { say: 'it is' }, approve] },
    )
    made.write('ralph.toml', `${settings}[review]\nwhen = "always"\n`)
    made.ok('create', 'live', 'Live')
    await stage.post('/api/build/live/start')
    made.write('ralph.toml', settings)
    const page = await stage.visit('/build/live/task/live/1.1')
    const transcript = page.getByRole('region', { name: 'Transcript' })
    await shown(transcript, 'first words')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).search))
    allow('work')
    await shown(transcript, 'more words')
    // Only what came after what was known.
    const outlines = asked.filter((query) => query.includes('rows='))
    expect(outlines.filter((query) => !/^\?from=[1-9]\d*&rows=[1-9]/.test(query))).toEqual([])
    expect(outlines.length).toBeGreaterThan(0)
    allow('end')
    await page.getByRole('link', { name: 'Reviewer running' }).click()
    await shown(transcript, 'is it right?')
    expect(await serious(page)).toEqual([])
    allow('review')
    await page.getByRole('link', { name: /^Reviewer of 1\.1/ }).waitFor()
    await shown(transcript, 'it is')
    await page.getByRole('searchbox').fill('right')
    await shown(page, '1 of 1')
    await page.getByRole('link', { name: 'What came of it' }).click()
    await shown(page, 'as asked')
    await page.goto(`${stage.address}/build/hand/task/gamma`)
    await page.getByRole('link', { name: /^SIA of 1\.1/ }).click()
    await shown(page.getByRole('region', { name: 'Session' }), 'SIA, attempt 1, iteration 1')
    await page.close()
  })

  /** As a stranger would: in a shell, in the repository. */
  function rerun(command: string): number {
    const { status } = spawnSync('bash', ['-c', command], { cwd: stage.made.folder, env: stage.made.env })
    return status ?? -1
  }

  it('a long transcript is searched, and its rows are opened and closed', async () => {
    const { made } = stage
    const words = Array.from({ length: 900 }, (_, at) => ({
      say: at === 777 ? 'a needle in the hay' : `hay ${at}`,
    }))
    made.play({
      ...session('long'),
      steps: [
        ...words,
        { run: 'echo from the tool' },
        { usage: { inputTokens: 1_200, outputTokens: 80, costUsd: 0.01 } },
        { scratchpad: { done: 'hay', testStatus: 'none', nextStep: 'more hay', blockers: 'none' } },
        { write: { path: 'big.txt', content: 'line\n'.repeat(400) } },
        ...work('long'),
      ],
    })
    made.ok('create', 'long', 'Make hay')
    await stage.post('/api/build/hay/start')
    await stage.until('hay', 'complete')
    const page = await stage.visit(`/build/${made.build()}/task/long/1.1`)
    const transcript = page.getByRole('region', { name: 'Transcript' })
    await shown(transcript, 'hay 0')
    await shown(page.getByRole('region', { name: 'Session' }), '1,200 tokens')
    await shown(page.getByRole('region', { name: 'Session' }), '$0.01')
    await page.keyboard.press('/')
    await page.keyboard.type('NEEDLE')
    await shown(transcript, 'a needle in the hay')
    await shown(page, '1 of 1')
    // A row is opened and closed from the keyboard.
    await transcript.getByRole('button', { expanded: true }).first().press('Enter')
    await transcript.getByRole('button', { expanded: false }).first().waitFor()
    await page.getByRole('searchbox').fill('from the tool')
    await shown(transcript, 'result')
    await button(page, 'Next').click()
    await button(page, 'Previous').click()
    await button(page, 'Expand all').click()
    await transcript.getByText('from the tool', { exact: true }).first().waitFor()
    await button(page, 'Collapse all').click()
    await page.getByRole('searchbox').fill('nowhere at all')
    await shown(page, 'Not found')
    expect(await serious(page)).toEqual([])
    await page.getByRole('link', { name: 'Scratchpad' }).click()
    await shown(page, 'more hay')
    await page.getByRole('link', { name: 'Diff' }).click()
    // A large file stays folded.
    await button(page, /^big\.txt/).waitFor()
    expect(await page.getByRole('region', { name: 'Lines of big.txt' }).count()).toBe(0)
    await page.close()
  })

  it('what agents write is text and nothing else', async () => {
    const { made } = stage
    const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script><b>bold</b>'
    const tricks = `\u001B[31mred\u001B[0m \u202Egnp.exe ${evil} https://evil.example/x.png`
    made.play(
      {
        ...session('evil'),
        steps: [
          { say: tricks },
          { say: 'x'.repeat(2_000_000) },
          {
            write: {
              path: `${evil.slice(0, 20)}.txt`.replaceAll('/', '_'),
              content: `${tricks}\n${'y'.repeat(2_000_000)}\n`,
            },
          },
          { scratchpad: { done: tricks, testStatus: tricks, nextStep: tricks, blockers: tricks } },
          { signal: { kind: 'TASK_STUCK', reason: tricks } },
        ],
      },
      { role: 'sia', steps: [{ say: tricks }, { answer: { type: 'escalate', reason: tricks } }] },
    )
    made.ok('create', 'evil', `${evil} ${'z'.repeat(300)}`)
    await stage.post('/api/build/evil/start')
    await stage.until('evil', 'human_needed')
    const id = made.build()
    const page = await stage.visit(`/build/${id}`)
    await shown(page.getByRole('region', { name: /^Human intervention needed/ }), /<img src=x onerror/)
    await shown(page.getByRole('region', { name: /^Human intervention needed/ }), /red ⟨U\+202E⟩gnp\.exe/)
    for (const path of [
      '/graph',
      '/timeline',
      '/log',
      '/task/evil',
      ...['', '/diff', '/checks', '/scratchpad', '.sia'].map((part) => `/task/evil/1.1${part}`),
    ]) {
      await page.goto(`${stage.address}/build/${id}${path}`)
      await page.getByText('<b>bold</b>').or(page.getByText('was not verified')).first().waitFor()
      const markup = await page.locator('main b, main img, main script').count()
      expect({ path, markup, fits: await fits(page) }).toEqual({ path, markup: 0, fits: true })
      await page.setViewportSize(PHONE)
      expect({ path, fits: await fits(page) }).toEqual({ path, fits: true })
      await page.setViewportSize({ width: 1200, height: 900 })
    }
    expect(await page.title()).toMatch(/^Human needed/)
    await page.goto(`${stage.address}/`)
    await shown(page, '<b>bold</b>')
    await page.setViewportSize(PHONE)
    expect([await page.locator('main b, main img, main script').count(), await fits(page)]).toEqual([0, true])
    await page.close()
    await stage.post('/api/build/evil/abort')
    made.ok('delete', 'evil')
  })

  it('a feed that breaks off goes on where it was', async () => {
    const { made } = stage
    made.play({ ...session('later'), steps: [{ sleep: 1_500 }, ...work('later')] })
    made.ok('create', 'later', 'Add later')
    const page = await stage.context.newPage()
    await page.addInitScript(
      'window.sockets = []; window.WebSocket = class extends WebSocket { constructor(...args) { super(...args); sockets.push(this) } }',
    )
    await stage.post('/api/build/later/start')
    await stage.saw('later', 'iterationStarted')
    await page.goto(`${stage.address}/build/later`)
    await shown(page, 'Live')
    await page.evaluate('sockets.at(-1).close()')
    await shown(page, 'Connection lost, trying again')
    await shown(page.getByRole('region', { name: 'Build' }), 'Complete')
    await page.getByRole('link', { name: 'Log' }).click()
    const { body } = await stage.get('/api/builds/later/facts?limit=1000')
    const heading = page.getByRole('heading', { name: /^Everything that happened/ })
    expect(await heading.innerText()).toBe(`Everything that happened (${(body['facts'] as unknown[]).length})`)
    await page.close()
  })

  it('light and dark, by the system and by the switch; on a phone; by keyboard', async () => {
    const page = await stage.visit('/build/hand', PHONE)
    await shown(page, '2 / 3 tasks')
    const background = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await background()
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(background, { timeout: WAIT_MS }).not.toBe(light)
    const dark = await background()
    expect([await serious(page), await fits(page)]).toEqual([[], true])
    await button(page, 'Theme: system').click()
    await expect.poll(background, { timeout: WAIT_MS }).toBe(light)
    await button(page, 'Theme: light').click()
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(background, { timeout: WAIT_MS }).toBe(dark)
    await page.reload()
    await shown(page, '2 / 3 tasks')
    await expect.poll(background, { timeout: WAIT_MS }).toBe(dark)
    await button(page, 'Theme: dark').click()
    for (const path of ['/timeline', '/log', '/task/alpha', '/task/alpha/1.1', '/task/alpha/1.1/checks']) {
      await page.goto(`${stage.address}/build/hand${path}`)
      await page.getByRole('heading').nth(1).waitFor()
      expect([path, await fits(page)]).toEqual([path, true])
    }
    await page.goto(`${stage.address}/`)
    await page.getByRole('heading', { name: 'Builds' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).hash, { timeout: WAIT_MS }).toBe('#main')
    await page.close()
  })

  it('a word on the desktop when a human is needed', async () => {
    const { made } = stage
    made.play(
      { ...session('ask'), steps: [wait('ask'), { signal: { kind: 'TASK_STUCK', reason: 'which one?' } }] },
      SIA_GIVES_UP,
    )
    made.ok('create', 'ask', 'Ask me')
    await stage.post('/api/build/ask/start')
    const page = await stage.context.newPage()
    // A hidden tab, and a desktop that records its notifications.
    await page.addInitScript(`
      window.told = []
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
      window.Notification = class extends EventTarget {
        static permission = 'default'
        static requestPermission = async () => (Notification.permission = 'granted')
        constructor(title, { body }) { super(); told.push([title, body]) }
      }`)
    await page.goto(`${stage.address}/build/ask`)
    await button(page, 'Notify me').click()
    allow('ask')
    await expect
      .poll(() => page.evaluate('told'), { timeout: WAIT_MS })
      .toEqual([['Human intervention needed: Ask me', 'I cannot count']])
    await page.close()
    await stage.post('/api/build/ask/abort')
  })

  it('through all of this nothing failed, nothing was refused by the policy, and no request left the server', () => {
    expect(stage.faults).toEqual([])
  })
})
