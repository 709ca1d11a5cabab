import { mkdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { namesIn } from '../../system/files.ts'
import { fillFolder, madeFolder } from '../../../test/rig/folder.ts'
import { prune } from './setup-cache.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW = 100 * DAY_MS

describe('outfits that nobody needs', () => {
  it('are the oldest ones that are parked, and those given out or half made long ago', async () => {
    const root = await madeFolder()
    const places: readonly [id: string, state: 'parked' | 'given', ageDays: number][] = [
      ['parked-new', 'parked', 1],
      ['parked-older', 'parked', 5],
      ['parked-oldest', 'parked', 30],
      ['given-new', 'given', 1],
      ['given-lost', 'given', 3],
    ]
    for (const [id, state, ageDays] of places) {
      await fillFolder(join(root, 'key', id), { 'outfit.json': '{}' })
      await mkdir(join(root, 'key', id, state))
      const at = (NOW - ageDays * DAY_MS) / 1000
      await utimes(join(root, 'key', id, 'outfit.json'), at, at)
    }
    await mkdir(join(root, 'other/half-made/given'), { recursive: true })
    await utimes(join(root, 'other/half-made'), 1, 1)
    await prune(root, 2, NOW)
    expect([(await namesIn(join(root, 'key'))).sort(), await namesIn(join(root, 'other'))]).toEqual([
      ['given-new', 'parked-new', 'parked-older'],
      [],
    ])
  })
})
