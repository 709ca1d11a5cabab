// One server over one project, and one browser that opened its link. All cases of a file share them.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { caller, type Served } from '../http/served.ts'
import { openBrowser } from './chromium.ts'
import { project, type Project } from '../rig/project.ts'

export interface Stage extends Pick<Served, 'get' | 'post' | 'until' | 'saw'> {
  readonly made: Project
  readonly address: string
  readonly context: BrowserContext
  /** A new tab at this address of the page. */
  readonly visit: (path: string, size?: { readonly width: number; readonly height: number }) => Promise<Page>
  /** Faults of any tab: errors, refused styles and scripts, requests to other servers. */
  readonly faults: readonly string[]
  readonly end: () => Promise<void>
}

const DESK = { width: 1200, height: 900 }

export function openStage(chromium: string, ...sessions: readonly object[]): Promise<Stage> {
  const ends: (() => void)[] = []
  return openStageOver(chromium, [project({ script: sessions, atEnd: (end) => ends.push(end) })], ends)
}

/** Over several repositories; `ends` is what ends what was started in them. */
export async function openStageOver(
  chromium: string,
  all: readonly [Project, ...Project[]],
  ends: readonly (() => void)[],
): Promise<Stage> {
  const [made] = all
  const program = made.start(['serve', ...all.map(({ folder }) => folder), '--port', '0', '--json'])
  await program.saw('"token"')
  const [line = ''] = program.said().stdout.split('\n', 1)
  const { address, token, link } = JSON.parse(line) as Readonly<Record<'address' | 'token' | 'link', string>>
  const browser: Browser = await openBrowser(chromium)
  const context = await browser.newContext({ viewport: DESK, locale: 'en-GB', timezoneId: 'UTC' })
  const faults: string[] = []
  context.on('request', (request) => {
    if (!request.url().startsWith(`${address}/`)) faults.push(`a request to ${request.url()}`)
  })
  context.on('weberror', (error) => faults.push(`an error: ${error.error().message}`))
  context.on('console', (message) => {
    // The browser also logs a refusal that the page shows.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) faults.push(message.text())
  })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const first = await context.newPage()
  await first.goto(link)
  await first.waitForURL(`${address}/`)
  await first.close()
  return {
    made,
    address,
    context,
    faults,
    ...caller(address, token),
    visit: async (path, size = DESK) => {
      const page = await context.newPage()
      await page.setViewportSize(size)
      await page.goto(`${address}${path}`)
      return page
    },
    end: async () => {
      await browser.close()
      for (const end of ends) end()
      await program.ended
      for (const { remove } of all) remove()
    },
  }
}
