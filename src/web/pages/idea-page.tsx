// One idea: its words, its spec, its legal moves, and its history.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { WireIdea } from '../../operations/contract/ideas.ts'
import { server } from '../server.ts'
import { nextPlace } from '../ideas/idea-card.tsx'
import { followIdeas } from '../ideas/live-board.ts'
import { MoveDialog } from '../ideas/move-dialog.tsx'
import { MoveMenu } from '../ideas/move-menu.tsx'
import { useMoves } from '../ideas/use-moves.ts'
import { Badge } from '../parts/badge.tsx'
import { Loading } from '../parts/loading.tsx'
import { Panel } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { Output, ForeignText } from '../parts/foreign-text.tsx'
import { firstLine } from '../parts/shown-text.ts'
import { when } from '../parts/time.ts'
import { Link } from '../router.tsx'
import { useTitle } from '../title.ts'
import { PHASES } from '../words/pipeline-words.ts'

export function IdeaPage({ id }: { readonly id: string }) {
  const {
    data: idea,
    error,
    refetch,
  } = useQuery({
    queryKey: ['idea', id],
    queryFn: ({ signal }) => server.idea({ id }, { signal }),
    refetchOnMount: 'always',
  })
  const moves = useMoves(() => void refetch())
  const since = idea?.updated_at
  useEffect(() => {
    if (since === undefined) return
    const over = new AbortController()
    const tell = (card: { readonly id: string; readonly updated_at: number }): void => {
      if (card.id === id && card.updated_at > since) void refetch()
    }
    followIdeas(since, tell, over.signal).catch(() => {})
    return () => over.abort()
  }, [id, since, refetch])
  useTitle(idea === undefined ? 'Idea' : firstLine(idea.title, 60), 'idle')
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (idea === undefined) return <Loading />
  return (
    <div className="space-y-4">
      <IdeaHead idea={idea} onMove={(to) => moves.want(idea, to)} />
      <Panel title="What is wanted">
        <ForeignText text={idea.text} />
      </Panel>
      {idea.spec !== null && (
        <Panel title="Spec" aside={<span className="font-mono text-xs text-soft">{idea.spec.id}</span>}>
          <Output text={idea.spec.text} label="Spec" />
        </Panel>
      )}
      <History idea={idea} />
      <MoveDialog moves={moves} />
    </div>
  )
}

interface IdeaHeadProps {
  readonly idea: WireIdea
  readonly onMove: Parameters<typeof MoveMenu>[0]['onMove']
}

function IdeaHead({ idea, onMove }: IdeaHeadProps) {
  const next = nextPlace(idea)
  const { word, tone, icon } = PHASES[idea.phase]
  return (
    <section aria-label="Idea" className="rounded-lg border border-line bg-panel p-4">
      <div className="flex items-start gap-3">
        <h1 className="min-w-0 flex-1 text-base font-semibold">
          <ForeignText text={idea.title} />
        </h1>
        <MoveMenu idea={idea} onMove={onMove} />
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-soft">
        <Badge tone={tone} word={word} icon={icon} />
        {idea.base !== null && <span>goes to {idea.base}</span>}
        {idea.auto_advance && <span>ships by itself</span>}
        {next !== null && <Link to={next.to}>{next.word}</Link>}
        <Link to={{ at: 'ideas' }}>All ideas</Link>
      </div>
    </section>
  )
}

function History({ idea: { moves, created_at: created } }: { readonly idea: WireIdea }) {
  return (
    <Panel title="History" flush>
      <ol className="divide-y divide-line">
        {moves.toReversed().map(({ at, by, from, to, reason, overridden }, index) => (
          <li key={moves.length - index} className="flex flex-wrap gap-x-3 gap-y-0.5 px-4 py-2 text-sm">
            <span className="text-xs leading-5 text-soft tabular-nums">{when(at)}</span>
            <span className="min-w-0 flex-1">
              {from === to ? PHASES[to].word : `${PHASES[from].word} → ${PHASES[to].word}`}
              <span className="block text-soft">
                <ForeignText text={by} />: <ForeignText text={reason} />
                {overridden.length > 0 && ` (although missing: ${overridden.join(', ')})`}
              </span>
            </span>
          </li>
        ))}
        <li className="px-4 py-2 text-xs text-soft">Written down {when(created)}</li>
      </ol>
    </Panel>
  )
}
