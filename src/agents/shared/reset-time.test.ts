import { describe, expect, it } from 'vitest'
import { resetTime } from './reset-time.ts'

const now = Date.parse('2026-11-15T07:40:00Z')

describe('when a limit is over', () => {
  it.each<[string, string | null]>([
    ["You've hit your 5-hour limit · resets 8:27am (UTC)", '2026-11-15T08:28:00Z'],
    ["You've hit your limit · resets 3pm (Europe/Berlin)", '2026-11-15T14:01:00Z'],
    ['5-hour limit reached ∙ resets 7am (UTC)', '2026-11-16T07:01:00Z'],
    ['resets 12am (UTC)', '2026-11-16T00:01:00Z'],
    ['resets at 12:30pm (UTC)', '2026-11-15T12:31:00Z'],
    ['resets 15:30 (America/New_York)', '2026-11-15T20:31:00Z'],
    ["You've hit your weekly limit · resets Nov 18 at 5:30pm (UTC)", '2026-11-18T17:31:00Z'],
    ['weekly limit reached ∙ resets Nov 18, 5pm (Asia/Tokyo)', '2026-11-18T08:01:00Z'],
    ['resets on November 20, 2026 at 9am (UTC)', '2026-11-20T09:01:00Z'],
    ['resets Dec 1, 5pm', '2026-12-01T17:01:00Z'],
    ['resets 9am (Nowhere/Land)', '2026-11-15T09:01:00Z'],
    ['Claude AI usage limit reached|1794731247', '2026-11-15T08:27:27Z'],
    ['This request would exceed your rate limit, retry-after: 3600', '2026-11-15T08:40:00Z'],
    ['Please try again in 20 minutes', '2026-11-15T08:00:00Z'],
    ['try again in 45 seconds.', '2026-11-15T07:40:45Z'],
    ['Your limit resets in 3h 20m', '2026-11-15T11:00:00Z'],
    ['resets in 2 days and 1 hour', '2026-11-17T08:40:00Z'],
    ['or try again at 11:27 AM.', '2026-11-15T11:28:00Z'],
    ['or try again at Nov 19th, 2026 2:27 PM.', '2026-11-19T14:28:00Z'],
    ['This request would exceed your rate limit. Please try again later.', null],
    ['resets Nov 14 at 5pm (UTC)', null],
    ['resets Foo 14 at 5pm (UTC)', null],
    ['usage limit reached|1694731247', null],
    ['resets 3', null],
    ['resets the counter', null],
    ['', null],
  ])('%s', (words, at) => {
    const found = resetTime(words, now, 'UTC')
    expect(found === null ? null : new Date(found).toISOString()).toBe(at === null ? null : new Date(at).toISOString())
  })

  it('on the night that clocks are set back', () => {
    const before = Date.parse('2026-10-24T22:00:00Z')
    expect(resetTime('resets 6am (Europe/Berlin)', before)).toBe(Date.parse('2026-10-25T05:01:00Z'))
  })
})
