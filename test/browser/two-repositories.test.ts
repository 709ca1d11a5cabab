// A server over two repositories, and rarely used paths: choosing the repository for something new, a spec without
// tasks, and the output of the deploy command.
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from './chromium.ts'
import { openStageOver, type Stage } from './stage.ts'
import { project, type Project } from '../rig/project.ts'
import { answers, work } from '../rig/sessions.ts'

const chromium = findChromium()
/** Fails until somebody sees to it. */
const DEPLOY = 'if test -f ../host; then echo "shop is up"; else echo "no host to deploy to" >&2; exit 3; fi'

const button = (page: Page | Locator, name: string): Locator => page.getByRole('button', { name, exact: true })
const shown = (page: Page | Locator, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor()
const card = (page: Page, name: string): Locator => page.getByRole('article', { name })
const serious = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id)
}

describe.skipIf(chromium === null)('a server with two repositories', () => {
  let stage: Stage
  let other: Project
  beforeAll(async () => {
    const ends: (() => void)[] = []
    const atEnd = (end: () => void): number => ends.push(end)
    const made = project({ script: [{ role: 'implementer', task: 'two', steps: work('two') }], atEnd })
    made.write('ralph.toml', `${made.read('ralph.toml')}[ship]\ndeploy = '''${DEPLOY}'''\n`)
    made.git('commit', '--quiet', '-am', 'deploy')
    other = project({ tasks: 'planned', script: [answers()], atEnd })
    stage = await openStageOver(chromium ?? '', [made, other], ends)
    stage.context.setDefaultTimeout(20_000)
  })
  afterAll(() => stage?.end())

  it('asks for which one something new is, and the board says where each is', async () => {
    const first = basename(stage.made.folder)
    const page = await stage.visit('/start')
    const choice = page.getByLabel('Repository')
    await choice.waitFor()
    expect(await choice.getByRole('option').allInnerTexts()).toEqual([first, other.folder])
    await choice.selectOption(other.folder)
    await page.getByLabel('Goal, spec or list of tasks').fill('The numbers two and three')
    expect(await serious(page)).toEqual([])
    await button(page, 'Make a plan').click()
    await shown(page, '2 tasks, ready to be built.')

    await page.goto(`${stage.address}/ideas`)
    for (const repository of [first, other.folder]) {
      await button(page, 'New idea').click()
      await page.getByLabel('What do you want?').fill('Shop')
      await page.getByLabel('Repository').selectOption(repository)
      await button(page.getByRole('dialog'), 'Write it down').click()
      await card(page, 'Shop').getByText(repository, { exact: true }).waitFor()
    }
    await card(page, 'The numbers two and three').getByText(other.folder).waitFor()
    const { ideas } = (await stage.get(`/api/ideas?repository=${encodeURIComponent(other.folder)}`)).body
    expect((ideas as { title: string }[]).map(({ title }) => title)).toEqual(['Shop', 'The numbers two and three'])
    await page.close()
  })

  it('ideas of the same name are moved each by itself', async () => {
    for (const repository of [basename(stage.made.folder), other.folder])
      await stage.post('/api/ideas', { id: 'same', text: `Same, in ${repository}`, repository })
    const page = await stage.visit('/ideas')
    const there = card(page, `Same, in ${other.folder}`)
    await there.dragTo(page.getByRole('region', { name: /^Ideation ready, / }))
    await page
      .getByRole('region', { name: /^Ideation ready, / })
      .getByRole('article', { name: `Same, in ${other.folder}` })
      .waitFor()
    expect(await card(page, `Same, in ${basename(stage.made.folder)}`).count()).toBe(1)
    await page.close()
  })

  it('a spec without tasks: what that means, and both ways on', async () => {
    const repository = other.folder
    await stage.post('/api/ideas', { id: 'written', text: 'Numbers', repository })
    await stage.post('/api/ideas/written/transition', { to: 'ideation_ready' })
    await stage.post('/api/ideas/written/transition', { to: 'specification', run: false })
    await stage.post('/api/ideas/written/transition', { to: 'spec_ready', spec: '# Numbers\n\nTwo and three.' })
    const page = await stage.visit('/start/written')
    const panel = page.getByRole('region', { name: 'A spec without a plan' })
    await shown(panel, 'the planner makes tasks of that first')
    await shown(panel, 'Two and three.')
    expect(await serious(page)).toEqual([])
    await button(panel, "Plan it from the idea's own words").waitFor()
    await button(panel, 'Start the build').click()
    await page.getByRole('link', { name: 'Look at its build' }).click()
    await shown(page.getByRole('region', { name: 'Build' }), 'Complete')
    await shown(page, 'Add three')
    await page.close()
  })

  it('what the deploy command said is shown, and where it failed it is run again', async () => {
    const { made } = stage
    await stage.post('/api/build/shop/start', { repository: basename(made.folder) })
    await stage.until('shop', 'complete')
    const page = await stage.visit(`/build/${made.build()}/ship`)
    await button(page, 'Publish to main').click()
    await button(page.getByRole('dialog'), 'Publish').click()
    const deploy = page.getByRole('region', { name: 'Deploy', exact: true })
    const output = deploy.getByRole('region', { name: 'Output of the deploy command' })
    await shown(deploy, /The deploy command failed \(exit 3\)/)
    expect(await output.innerText()).toBe('no host to deploy to\n')
    await shown(page.getByRole('region', { name: 'Ship gate' }), 'has everything that this build made.')
    expect(await serious(page)).toEqual([])

    // A reload still shows the failure.
    await page.reload()
    await shown(deploy, /The deploy command failed \(exit 3\)/)
    writeFileSync(join(made.root, 'host'), '')
    await button(deploy, 'Run the deploy again').click()
    await shown(deploy, 'The deploy command did its work')
    expect(await output.innerText()).toBe('shop is up\n')
    expect(await button(deploy, 'Run the deploy again').count()).toBe(0)
    await page.close()
  })

  it('and nothing went wrong on the way', () => expect(stage.faults).toEqual([]))
})
