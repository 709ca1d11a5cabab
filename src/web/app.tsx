// The frame around every page: the current place, and links to the others.
import { lazy, Suspense } from 'react'
import { BuildPage } from './pages/build-page.tsx'
import { HomePage } from './pages/home-page.tsx'
import { Loading } from './parts/loading.tsx'
import { Empty } from './parts/panel.tsx'
import { Link, useRoute } from './router.tsx'
import type { Route } from './route.ts'
import { BuildSession } from './live-build/use-build-session.tsx'
import { ThemeSwitch } from './theme.tsx'

const IdeasPage = lazy(() => import('./pages/ideas-page.tsx').then(({ IdeasPage: page }) => ({ default: page })))
const IdeaPage = lazy(() => import('./pages/idea-page.tsx').then(({ IdeaPage: page }) => ({ default: page })))
const StartPage = lazy(() => import('./pages/start-page.tsx').then(({ StartPage: page }) => ({ default: page })))
const PlanPage = lazy(() => import('./pages/plan-page.tsx').then(({ PlanPage: page }) => ({ default: page })))
const TaskPage = lazy(() => import('./pages/task-page.tsx').then(({ TaskPage: page }) => ({ default: page })))

export function App() {
  const route = useRoute()
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:bg-panel focus:p-2">
        Skip to content
      </a>
      <header className="sticky top-0 z-20 border-b border-line bg-panel">
        <div className="mx-auto flex h-12 max-w-6xl items-center gap-1 px-3 sm:gap-2 sm:px-4">
          <Link
            to={{ at: 'home' }}
            className="mr-1 flex items-center gap-2 font-semibold sm:mr-3"
            label="Ralph: builds"
          >
            <Mark />
            <span>Ralph</span>
          </Link>
          <nav aria-label="Main" className="flex flex-1 items-center gap-1">
            <NavLink to={{ at: 'home' }} word="Builds" isCurrent={route.at === 'home'} />
            <NavLink to={{ at: 'ideas' }} word="Ideas" isCurrent={route.at === 'ideas'} />
            <NavLink to={{ at: 'start' }} word="Start" isCurrent={route.at === 'start'} />
          </nav>
          <ThemeSwitch />
        </div>
      </header>
      <main id="main" className={`mx-auto w-full flex-1 px-3 py-4 sm:px-4 ${route.at === 'ideas' ? '' : 'max-w-6xl'}`}>
        <Suspense fallback={<Loading />}>
          <Place route={route} />
        </Suspense>
      </main>
    </div>
  )
}

function Place({ route }: { readonly route: Route }) {
  switch (route.at) {
    case 'home':
      return <HomePage />
    case 'build':
    case 'task':
      return (
        <BuildSession build={route.build}>
          {route.at === 'build' ? <BuildPage tab={route.tab} /> : <TaskPage key={route.task} route={route} />}
        </BuildSession>
      )
    case 'ideas':
      return <IdeasPage />
    case 'idea':
      return <IdeaPage key={route.idea} id={route.idea} />
    case 'start':
      return <StartPage />
    case 'plan':
      return <PlanPage key={route.idea} id={route.idea} />
    case 'nowhere':
      return (
        <Empty title="There is nothing at this address">
          <p>
            Go to <Link to={{ at: 'home' }}>all builds</Link>.
          </p>
        </Empty>
      )
  }
}

interface NavLinkProps {
  readonly to: Route
  readonly word: string
  readonly isCurrent: boolean
}

function NavLink({ to, word, isCurrent }: NavLinkProps) {
  const look = isCurrent ? 'bg-sunken text-ink' : 'text-soft hover:bg-sunken hover:text-ink'
  return (
    <Link to={to} isCurrent={isCurrent} className={`rounded-md px-2.5 py-1.5 text-sm font-medium ${look}`}>
      {word}
    </Link>
  )
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M11 24V8h6.5a5 5 0 0 1 0 10H11m6 0 5 6"
        fill="none"
        className="stroke-on-accent"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
