// Navigation without a reload. Links stay links, so they can be opened in another tab.
import { type MouseEvent, type ReactNode, useSyncExternalStore } from 'react'
import { pathOf, type Route, routeOf } from './route.ts'

const listeners = new Set<() => void>()
let current: Route = routeOf(location.pathname)

function look(): void {
  current = routeOf(location.pathname)
  for (const listener of listeners) listener()
}

addEventListener('popstate', look)

export function navigate(route: Route): void {
  if (pathOf(route) === location.pathname) return
  history.pushState(null, '', pathOf(route))
  scrollTo(0, 0)
  look()
}

export function useRoute(): Route {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}

interface LinkProps {
  readonly to: Route
  readonly children: ReactNode
  readonly className?: string
  readonly isCurrent?: boolean
  readonly label?: string
}

export function Link({
  to,
  children,
  className = 'text-accent underline underline-offset-2',
  isCurrent = false,
  label,
}: LinkProps) {
  const follow = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a
      href={pathOf(to)}
      onClick={follow}
      className={className}
      {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
      {...(label === undefined ? {} : { 'aria-label': label })}
    >
      {children}
    </a>
  )
}
