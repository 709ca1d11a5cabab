// From words to the base branch on the page alone: the board, the plan before its build, and the ship gate.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from './chromium.ts'
import { openStage, type Stage } from './stage.ts'
import { answers, planner, SIA_GIVES_UP, work, WORKERS } from '../rig/sessions.ts'

const chromium = findChromium()
const PHONE = { width: 380, height: 800 }

const button = (page: Page | Locator, name: string | RegExp): Locator => page.getByRole('button', { name, exact: true })
const shown = (page: Page | Locator, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor()
const column = (page: Page, word: string): Locator => page.getByRole('region', { name: new RegExp(`^${word}, `) })
const card = (page: Page | Locator, name: string): Locator => page.getByRole('article', { name })
const serious = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
}
/** Nothing is wider than the window. */
const fits = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')

describe.skipIf(chromium === null)('from words to the base branch', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(chromium ?? '')
    stage.context.setDefaultTimeout(20_000)
  })
  afterAll(() => stage?.end())
  /** When this file is there, the agent that waits for it goes on. */
  const go = (): string => join(stage.made.root, 'go')

  it('a board without ideas teaches, and takes the first one', async () => {
    const page = await stage.visit('/')
    await page.getByRole('link', { name: 'Ideas' }).click()
    await shown(page, 'No idea yet')
    expect(await page.title()).toBe('Ideas · Ralph')
    await button(page, 'New idea').click()
    const dialog = page.getByRole('dialog')
    await page.getByLabel('What do you want?').fill('<b>Bold</b> words\n\nand more of them')
    await page.getByLabel('Ship it by itself').check()
    expect(await serious(page)).toEqual([])
    await button(dialog, 'Write it down').click()
    await card(column(page, 'Ideation'), '<b>Bold</b> words').getByText('ships by itself').waitFor()
    await page.setViewportSize(PHONE)
    expect([await fits(page), await serious(page)]).toEqual([true, []])
    await page.close()
  })

  it('an idea is dragged, moved by keyboard, refused with a reason, and moved all the same', async () => {
    const page = await stage.visit('/ideas')
    const idea = card(page, '<b>Bold</b> words')
    await idea.dragTo(column(page, 'Ideation ready'))
    await idea.and(column(page, 'Ideation ready').getByRole('article')).waitFor()
    await idea.dragTo(column(page, 'Deployed'))
    const dialog = page.getByRole('dialog')
    await shown(dialog, /cannot go from ideation_ready to deployed; from there it can go to specification/)
    expect(await serious(page)).toEqual([])
    await button(dialog, 'Paused').click()
    await card(column(page, 'Paused'), '<b>Bold</b> words').waitFor()
    await dialog.waitFor({ state: 'detached' })

    const menu = button(page, 'Move <b>Bold</b> words')
    await menu.press('Enter')
    await page.getByRole('menuitem', { name: 'Ideation ready' }).waitFor()
    await page.keyboard.press('Enter')
    await card(column(page, 'Ideation ready'), '<b>Bold</b> words').waitFor()

    await menu.click()
    await page.getByRole('menuitem', { name: /^Spec ready/ }).click()
    await shown(dialog, /cannot go to spec_ready: it has no spec yet/)
    await dialog.getByLabel('Move it all the same, because').fill('I know what I want')
    await button(dialog, 'Move it anyway').click()
    await card(column(page, 'Spec ready'), '<b>Bold</b> words').waitFor()

    // The page asks before it starts something.
    await menu.click()
    await page.getByRole('menuitem', { name: /^Failed/ }).click()
    await menu.click()
    await page.getByRole('menuitem', { name: /^Specification/ }).click()
    await shown(dialog, 'The planner reads the project and makes tasks of it.')
    await button(dialog, 'Cancel').click()
    await page.getByRole('link', { name: '<b>Bold</b> words' }).click()
    await shown(page.getByRole('region', { name: 'History' }), 'I know what I want')
    await shown(page.getByRole('region', { name: 'What is wanted' }), 'and more of them')
    expect(await serious(page)).toEqual([])
    await page.close()
  })

  it('a planner that works is watched, cancelled, and asked again in other words', async () => {
    stage.made.play(planner({ say: 'where do I begin?' }, { sleep: 60_000 }))
    const page = await stage.visit('/start')
    await page.getByLabel('Goal, spec or list of tasks').fill('Numbers')
    await page.reload()
    expect(await page.getByLabel('Goal, spec or list of tasks').inputValue()).toBe('Numbers')
    expect([await fits(page), await serious(page)]).toEqual([true, []])
    await button(page, 'Make a plan').click()
    await shown(page, 'The planner (scripted) reads the project and makes a plan.')
    await shown(page.getByRole('region', { name: 'What the planner says' }), 'where do I begin?')
    // A reload shows the same state.
    await page.reload()
    await shown(page.getByRole('region', { name: 'What the planner says' }), 'where do I begin?')
    await button(page, 'Cancel planning').click()
    stage.made.play(planner({ answerText: 'no' }), planner({ answerText: 'no' }))
    await page.getByLabel('Goal, spec or list of tasks').fill('The numbers two and three')
    await button(page, 'Make a plan').click()
    await shown(page, /gave no usable plan/)
    stage.made.play(answers(), ...WORKERS)
    await button(page, 'Make a plan').click()
    await shown(page, '2 tasks, ready to be built.')
    await button(page, 'What the planner said').click()
    await shown(page.getByRole('region', { name: 'What the planner said' }), 'I see')
    expect(await page.getByLabel('Session of the planner').locator('option').count()).toBe(4)
    await page.close()
  })

  it('a plan is changed, told what is wrong with it, kept over a reload, saved and started', async () => {
    const board = await stage.visit('/ideas')
    await card(column(board, 'Spec ready'), 'The numbers two and three').getByText('Look at the plan').click()
    const page = board
    const task = (number: number): Locator => page.getByRole('listitem', { name: `Task ${number}`, exact: true })
    await button(task(1), /^1\. Add two/).click()
    await task(1).getByLabel('Depends on').selectOption('three')
    await shown(task(1), "'depends_on' goes in a circle: two -> three -> two")
    expect(await button(page, 'Start the build').isDisabled()).toBe(true)
    await button(task(1), 'No longer depend on three').click()
    await shown(page, '2 tasks, ready to be built.')
    await task(1).getByLabel('Title').fill('Add number two')
    await task(1).getByLabel('Goal').fill('There is a two.')
    await task(1).getByLabel('Acceptance, one per line').fill('two() is 1\nand it is tested')
    await task(1).getByLabel('Type').selectOption('chore')

    await button(page, 'Add a task').click()
    await task(3).getByLabel('Title').fill('Something else')
    await shown(page, 'Not yet: 2 problems are marked above.')
    expect(await task(3).getByLabel('Id').inputValue()).toBe('something-else')
    await task(3).getByLabel('Depends on').selectOption('two')
    await task(3).getByLabel('Depends on').selectOption('three')
    await button(page, 'Move Something else up').click()
    await shown(task(2), 'something-else')
    await button(page, 'Remove Add number two').click()
    await shown(task(2), "'depends_on' names 'two', which is no task of this plan")
    await page.reload()
    await shown(task(2), "'depends_on' names 'two', which is no task of this plan")
    await page.setViewportSize(PHONE)
    expect([await fits(page), await serious(page)]).toEqual([true, []])

    await button(page, 'Undo all changes').click()
    await shown(task(1), 'Add two')
    await button(task(1), /^1\. Add two/).click()
    await task(1).getByLabel('Title').fill('Add number two')
    await button(page, 'Save for later').click()
    await button(page, 'Undo all changes').waitFor({ state: 'detached' })
    await button(page, 'Plan again').click()
    await button(page.getByRole('dialog'), 'Keep this plan').click()
    const held = { run: `while [ ! -e '${go()}' ]; do sleep 0.05; done` }
    stage.made.play(
      { role: 'implementer', task: 'two', steps: [held, ...work('two')] },
      { role: 'implementer', task: 'three', steps: work('three', 1, 2) },
      SIA_GIVES_UP,
    )
    await button(page, 'Start the build').click()
    await page.waitForURL(/\/build\/b_/)
    await shown(page, 'Add number two')
    await page.close()
  })

  it('the board follows the build, and the ship gate has its reasons until they are cleared', async () => {
    const { made } = stage
    const id = made.build()
    const board = await stage.visit('/ideas')
    const running = card(column(board, 'Building'), 'The numbers two and three')
    await shown(running, '0 / 2 tasks')
    await shown(running, 'Add number two')
    const page = await stage.visit(`/build/${id}/ship`)
    const gate = page.getByRole('region', { name: 'Ship gate' })
    await shown(gate, `build ${id} is not ready: it is unfinished with 2 of 2 tasks open`)
    await shown(page.getByRole('region', { name: 'Evidence' }), 'Nothing is merged yet.')

    writeFileSync(go(), '')
    await shown(gate, "task 'three' waits for a human")
    await shown(card(column(board, 'Paused'), 'The numbers two and three'), 'Human needed')
    await gate.getByRole('link', { name: 'Answer, fix, retry or skip it' }).click()
    await button(page, 'Skip this task').click()
    await shown(page.getByRole('region', { name: 'Build' }), 'Complete')
    await card(column(board, 'Build review'), 'The numbers two and three').getByText('Ship it').click()
    await board.waitForURL(`**/build/${id}/ship`)
    await board.close()

    await page.getByRole('link', { name: 'Ship', exact: true }).click()
    await shown(gate, "task 'three' was skipped")
    await gate.getByRole('link', { name: 'Look at the task' }).waitFor()
    const row = page.getByRole('row', { name: /Add number two/ })
    const cells = await row.getByRole('cell').allInnerTexts()
    const commit = made.git('rev-parse', `ralph/${id}`).trim()
    const evidence = /^Ralph-Evidence: sha256:(.{12})/m.exec(made.git('log', '-1', '--format=%B', commit))?.[1]
    expect(cells.map((text) => text.trim().replaceAll('\n', ' '))).toEqual([
      ...[commit.slice(0, 10), 'green unit', '0', '2', '0', '0', evidence, 'Command'],
    ])
    await button(row, 'The command that runs unit again').click()
    await shown(page, /git archive .* --test/)
    await page.setViewportSize(PHONE)
    expect([await fits(page), await serious(page)]).toEqual([true, []])

    await button(page, 'Publish to main').click()
    const dialog = page.getByRole('dialog')
    await button(dialog, 'Publish').click()
    await shown(dialog, 'Not published; the gate has its reasons:')
    expect(made.git('log', '--format=%s', 'main')).toBe('start\n')
    await dialog.getByLabel('Publish although tasks were skipped').check()
    expect(await serious(page)).toEqual([])
    await button(dialog, 'Publish').click()
    await shown(gate, 'has everything that this build made.')
    await shown(gate, /Shipped by .*; let pass: skipped/)
    expect(made.git('rev-parse', 'main').trim()).toBe(commit)
    await page.goto(`${stage.address}/ideas`)
    await card(column(page, 'Deployed'), 'The numbers two and three').waitFor()
    await page.close()
  })

  it('and nothing went wrong on the way', () => expect(stage.faults).toEqual([]))
})
