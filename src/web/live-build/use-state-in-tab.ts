// How the build stands, for those who look elsewhere: the title and icon of the tab, and a word on the desktop when only a
// person can go on.
import { useEffect } from 'react'
import type { SessionStatus } from '../../core/builds/build.ts'
import { firstLine } from '../parts/shown-text.ts'
import { type IconName, useTitle } from '../title.ts'
import type { Folded } from './fold.ts'
import { useLiveSession } from './use-build-session.tsx'

const ICONS: Readonly<Record<SessionStatus, IconName>> = {
  active: 'running',
  paused: 'paused',
  complete: 'done',
  failed: 'failed',
  human_needed: 'asking',
}

export function useStateInTab({ view, tasks, name }: Folded): void {
  const live = useLiveSession()
  const isAsked = tasks.some(({ status }) => status === 'waiting')
  const done = `${view.completedTasks.length}/${tasks.length}`
  const title = isAsked ? `Human needed (${done})` : `${done} ${view.status.replace('_', ' ')}`
  useTitle(`${title} · ${firstLine(name, 60)}`, isAsked ? 'asking' : ICONS[view.status])
  useEffect(
    () =>
      live.onFact(({ fact }) => {
        if (fact.type !== 'humanNeeded' || !('Notification' in globalThis)) return
        if (Notification.permission !== 'granted' || document.visibilityState === 'visible') return
        // With a tag, several tabs show one notification.
        const body = firstLine(fact.reason, 200)
        const notification = new Notification(`Human intervention needed: ${firstLine(fact.taskName, 80)}`, {
          body,
          tag: fact.taskId,
        })
        notification.addEventListener('click', () => window.focus())
      }),
    [live],
  )
}
