// Takes the pictures of the README and the guide: a real server builds the demo's project, and a real browser shows it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { makePlace } from '../src/cli/demo/place.ts'
import { plan } from '../src/cli/demo/plan.ts'
import { ANSWER } from '../src/cli/demo/script.ts'
import { findChromium, openBrowser } from '../test/browser/chromium.ts'
import { caller } from '../test/http/served.ts'

const OUT = 'docs/images'
const DESK = { width: 1200, height: 800 }
const PHONE = { width: 390, height: 800 }
const DEVICES: Readonly<Record<string, typeof DESK>> = { desk: DESK }
const RALPH = join(import.meta.dirname, '../bin/ralph.js')

const program = await findChromium()
if (program !== null) await takeAll(program)

async function takeAll(chromium: string): Promise<void> {
  const place = await makePlace(process.env['PATH'] ?? '')
  const env = { ...place.env, TZ: 'UTC' }
  const server = spawn(process.execPath, [RALPH, 'serve', '--port', '0', '--json'], {
    cwd: place.folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const browser = await openBrowser(chromium, '--force-color-profile=srgb')
  try {
    await mkdir(OUT, { recursive: true })
    await enterPlan(place.folder, env)
    const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string]
    const { address, token, link } = JSON.parse(line) as Readonly<Record<'address' | 'token' | 'link', string>>
    const { post, until } = caller(address, token)
    const camera = await openCamera(browser, address, link)
    await post('/api/build/corner-shop/start')
    await until('corner-shop', 'human_needed')
    await camera.take('build', '/build/corner-shop', 'Human intervention needed', { desk: DESK, phone: PHONE })
    await post('/api/build/corner-shop/answer', { text: ANSWER })
    await until('corner-shop', 'complete')
    await camera.take('graph', '/build/corner-shop/graph', 'Print the receipt')
    await camera.take('timeline', '/build/corner-shop/timeline', 'Approved')
    await camera.take('task', '/build/corner-shop/task/discount/1.1/checks', 'Run it again')
  } finally {
    await browser.close()
    server.kill()
    await once(server, 'close')
    await rm(dirname(place.folder), { recursive: true, force: true })
  }
}

async function enterPlan(cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  const lines = plan.map(({ id, deps, text }) => JSON.stringify({ id, t: text.title, deps, cat: 'shop' }))
  const sync = spawn(process.execPath, [RALPH, 'task', 'plan-sync'], { cwd, env, stdio: ['pipe', 'ignore', 'inherit'] })
  sync.stdin.end(`${lines.join('\n')}\n`)
  await once(sync, 'close')
}

interface Camera {
  /** Of one place, when it shows this text: light and dark. */
  readonly take: (name: string, path: string, text: string, devices?: typeof DEVICES) => Promise<void>
}

async function openCamera(browser: Browser, address: string, link: string): Promise<Camera> {
  const context = await browser.newContext({ viewport: DESK, locale: 'en-GB', timezoneId: 'UTC' })
  const page: Page = await context.newPage()
  await page.goto(link)
  await page.waitForURL(`${address}/`)
  return {
    take: async (name, path, text, devices = DEVICES) => {
      for (const [device, size] of Object.entries(devices))
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize(size)
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          await page.goto(`${address}${path}`)
          await page.getByText(text).first().waitFor()
          await page.waitForLoadState('networkidle')
          const file = `${OUT}/page-${name}-${device}-${colorScheme}.png`
          await page.screenshot({ path: file })
          console.log(file)
        }
    },
  }
}
