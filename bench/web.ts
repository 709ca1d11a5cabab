// The page with a day's worth of logs, in a real browser: what it keeps in memory, and how long it keeps a person waiting.
import type { Browser, Page } from 'playwright-core'
import { findChromium, installChromium, openBrowser } from '../test/browser/chromium.ts'
import type { Benchmark } from './benchmark.ts'
import { shown } from './table.ts'
import { openWebBench, type WebBench } from './web-repo.ts'

const MB = 1_000_000
const FACTS = 100_000
const TRANSCRIPT_BYTES = 50 * MB
const HEAP_MB_MAX = 150
const TASK_MS_MAX = 100

/** Live facts: so many at a time, so often, so many times at each of the places. */
const BURST = 100
const BURST_EVERY_MS = 100
const BURSTS = 10
const PLACES = 4

interface Look {
  readonly heapMb: number
  /** Of the longest task of the page's thread, by that thread's own clock: what else the machine does is not in it. */
  readonly longestMs: number
}

export const web: Benchmark = {
  name: 'web',
  rounds: 3,
  run: async (folder, rounds) => {
    await installChromium()
    const program = findChromium()
    if (program === null) throw new Error('the page is measured in Chromium, which is not here')
    const benchRepo = await openWebBench(folder, FACTS, TRANSCRIPT_BYTES)
    const browser = await openBrowser(program)
    try {
      const context = await browser.newContext({ viewport: { width: 1200, height: 900 } })
      const page = await context.newPage()
      await page.goto(benchRepo.link)
      await page.waitForURL(`${benchRepo.address}/`)
      const looks: Look[] = []
      for (let round = 0; round < rounds; round += 1) looks.push(await lookAround(browser, page, benchRepo))
      return {
        name: 'web',
        about: [
          `A build with ${shown(FACTS)} facts and a transcript of ${shown(TRANSCRIPT_BYTES / MB)} MB; in each round ${shown(BURST * BURSTS * PLACES)} more facts, live, while somebody scrolls.`,
        ],
        groups: [
          group(
            'the most memory of the page',
            'MB',
            HEAP_MB_MAX,
            looks.map(({ heapMb }) => heapMb),
          ),
          group(
            'the longest task',
            'ms',
            TASK_MS_MAX,
            looks.map(({ longestMs }) => longestMs),
          ),
        ],
      }
    } finally {
      await browser.close()
      await benchRepo.close()
    }
  },
}

function group(title: string, unit: 'MB' | 'ms', most: number, samples: readonly number[]) {
  return {
    title,
    unit,
    figures: [
      { name: 'allowed', samples: samples.map(() => most) },
      { name: 'measured', samples, goal: { bound: 'at most', ratio: 1 } as const },
    ],
  }
}

async function lookAround(browser: Browser, page: Page, benchRepo: WebBench): Promise<Look> {
  const tab = await page.context().newCDPSession(page)
  let heapMb = 0
  const weigh = async (): Promise<void> => {
    const { usedSize } = (await tab.send('Runtime.getHeapUsage')) as { usedSize: number }
    heapMb = Math.max(heapMb, usedSize / MB)
  }
  await page.goto(`${benchRepo.address}/build/${benchRepo.build}/log`)
  await page.getByText('Your checkout changed').first().waitFor()
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] })
  await whileItHappens(benchRepo, async () => scrollThrough(page, 'Log', weigh))
  await page.goto(`${benchRepo.address}/build/${benchRepo.build}`)
  await whileItHappens(benchRepo, weigh)
  await page.goto(`${benchRepo.address}/build/${benchRepo.build}/task/two/1.1`)
  await page.getByText('row 0').first().waitFor()
  await whileItHappens(benchRepo, async () => scrollThrough(page, 'Transcript', weigh))
  await page.getByRole('searchbox').fill('row 77777 ')
  await page.getByText('1 of 1').waitFor()
  await page.getByRole('button', { name: 'Expand all' }).click()
  await whileItHappens(benchRepo, async () => scrollThrough(page, 'Transcript', weigh))
  const longestMs = longestTask(await browser.stopTracing())
  await tab.detach()
  return { heapMb, longestMs }
}

/** All over the list, by leaps and by wheel. */
async function scrollThrough(page: Page, name: string, weigh: () => Promise<void>): Promise<void> {
  const list = page.getByRole('region', { name, exact: true })
  for (const share of [0, 0.2, 0.5, 0.8, 1]) {
    await list.evaluate((box, to) => {
      const element = box as unknown as { scrollTop: number; scrollHeight: number }
      element.scrollTop = element.scrollHeight * to
    }, share)
    for (let turn = 0; turn < 5; turn += 1) {
      await list.hover()
      await page.mouse.wheel(0, 900)
      await page.waitForTimeout(50)
    }
    await weigh()
  }
}

async function whileItHappens(benchRepo: WebBench, work: () => Promise<void>): Promise<void> {
  const happened = (async () => {
    for (let burst = 0; burst < BURSTS; burst += 1) {
      benchRepo.happen(BURST)
      await new Promise((resolve) => setTimeout(resolve, BURST_EVERY_MS))
    }
  })()
  await Promise.all([work(), happened])
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { readonly traceEvents: readonly TraceEvent[] }
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  )
  const tasks = traceEvents.filter(({ name, pid, tid }) => name.endsWith('RunTask') && pages.has(`${pid}/${tid}`))
  if (tasks.length === 0) throw new Error('the trace of the browser tells of no task')
  return Math.max(...tasks.map(({ dur = 0, tdur = dur }) => tdur)) / 1000
}
