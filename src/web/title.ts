// The title and icon of the tab, visible from other tabs.
import { useEffect } from 'react'
import asking from './icons/asking.svg'
import done from './icons/done.svg'
import failed from './icons/failed.svg'
import idle from './icons/idle.svg'
import paused from './icons/paused.svg'
import running from './icons/running.svg'

const ICONS = { asking, done, failed, idle, paused, running } as const
export type IconName = keyof typeof ICONS

export function useTitle(title: string, icon: IconName): void {
  useEffect(() => {
    document.title = `${title} · Ralph`
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (link !== null && link.getAttribute('href') !== ICONS[icon]) link.href = ICONS[icon]
  }, [title, icon])
}
