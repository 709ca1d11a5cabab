// The graph of dependencies. Loaded only when it is opened.
import { graphlib, layout } from '@dagrejs/dagre'
import { Background, Controls, type Edge, Handle, MarkerType, type Node, Position, ReactFlow } from '@xyflow/react'
import { useMemo } from 'react'
import type { Attempt } from '../../core/attempt/attempt.ts'
import type { Task } from '../../core/task/task.ts'
import { Empty } from '../parts/panel.tsx'
import type { Folded, ShownStrength } from '../live-build/fold.ts'
import { TaskCard } from './task-card.tsx'
import '@xyflow/react/dist/base.css'

const WIDTH = 250
const HEIGHT = 106
/** A larger graph takes too long to lay out and cannot be read. */
const TASKS_MAX = 300

interface TaskNodeData extends Record<string, unknown> {
  readonly task: Task
  readonly attempt: Attempt | null
  readonly build: string
  readonly worth: ShownStrength | null
}
type TaskNode = Node<TaskNodeData, 'task'>

const nodeTypes = { task: TaskNodeBox }

export function TaskGraph({ session }: { readonly session: Folded }) {
  const { tasks, attempts, build, strengths } = session
  // Positions depend on the plan alone, so a task that changes its state does not move.
  const plan = tasks.map(({ id, deps }) => `${id}<${deps.join()}`).join()
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const places = useMemo(() => placesOf(tasks), [plan])
  if (tasks.length === 0) return <Empty title="No tasks yet">The graph appears with the plan.</Empty>
  if (tasks.length > TASKS_MAX)
    return (
      <Empty title="Too many tasks for a picture">
        A graph is drawn for up to {TASKS_MAX} tasks; the list shows all {tasks.length}.
      </Empty>
    )
  const nodes = tasks.map((task): TaskNode => ({
    id: task.id,
    type: 'task',
    position: places.get(task.id) ?? { x: 0, y: 0 },
    width: WIDTH,
    data: {
      task,
      attempt: attempts.get(task.id) ?? null,
      build: build.id,
      worth: strengths.get(task.id) ?? null,
    },
  }))
  return (
    <div className="h-[65dvh] rounded-lg border border-line bg-panel" role="region" aria-label="Dependency graph">
      <ReactFlow
        nodes={nodes}
        edges={edgesOf(tasks)}
        nodeTypes={nodeTypes}
        fitView
        minZoom={0.1}
        fitViewOptions={{ maxZoom: 1 }}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        nodesFocusable={false}
        onlyRenderVisibleElements
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  )
}

function TaskNodeBox({ data: { task, attempt, build, worth } }: { readonly data: TaskNodeData }) {
  return (
    <div className="nopan text-left" style={{ width: WIDTH }}>
      <Handle type="target" position={Position.Left} className="opacity-0" />
      <TaskCard task={task} attempt={attempt} build={build} worth={worth} />
      <Handle type="source" position={Position.Right} className="opacity-0" />
    </div>
  )
}

function edgesOf(tasks: readonly Task[]): Edge[] {
  const known = new Set(tasks.map(({ id }) => id))
  return tasks.flatMap(({ id, deps, status }) =>
    deps
      .filter((dep) => known.has(dep))
      .map((dep) => ({
        id: `${dep}>${id}`,
        source: dep,
        target: id,
        animated: status === 'active',
        markerEnd: { type: MarkerType.ArrowClosed },
      })),
  )
}

function placesOf(tasks: readonly Task[]): ReadonlyMap<string, { readonly x: number; readonly y: number }> {
  if (tasks.length > TASKS_MAX) return new Map()
  const graph = new graphlib.Graph().setGraph({ rankdir: 'LR', nodesep: 24, ranksep: 60 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id } of tasks) graph.setNode(id, { width: WIDTH, height: HEIGHT })
  for (const { id, deps } of tasks) for (const dep of deps) if (graph.hasNode(dep)) graph.setEdge(dep, id)
  layout(graph)
  return new Map(
    tasks.map(({ id }) => {
      const { x, y } = graph.node(id) as { x: number; y: number }
      return [id, { x: x - WIDTH / 2, y: y - HEIGHT / 2 }]
    }),
  )
}
