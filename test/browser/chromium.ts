// A real browser. Where there is none and this is a machine that may be changed (root, with apt), it is installed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const INSTALL_MAX_MS = 300_000

const FLAGS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Null: there is none; the reason is printed. */
export function findChromium(): string | null {
  const found = named()
  if (found === null)
    console.log(
      "Skipped: there is no Chromium; install it ('apt-get install chromium'), or name one in RALPH_TEST_CHROMIUM.",
    )
  return found
}

function named(): string | null {
  const own = process.env['RALPH_TEST_CHROMIUM']
  return own ?? PLACES.find((path) => existsSync(path)) ?? null
}

/** Once, before files of tests run beside each other: apt has one user at a time. */
export async function installChromium(): Promise<void> {
  if (named() !== null || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const wanted = ['install', '-y', '--no-install-recommends', 'chromium']
  if (!(await apt(...wanted)) && (await apt('update'))) await apt(...wanted)
}

async function apt(...args: readonly string[]): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const [code] = (await once(spawn('apt-get', args, { stdio: 'ignore', timeout: INSTALL_MAX_MS, env }), 'close')) as [
    unknown,
  ]
  return code === 0
}

export function openBrowser(program: string, ...flags: readonly string[]): Promise<Browser> {
  return chromium.launch({ executablePath: program, args: [...FLAGS, ...flags] })
}
