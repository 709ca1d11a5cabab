export function TaskPage({
  build,
  task,
  iteration,
}: {
  readonly build: string
  readonly task: string
  readonly iteration: string | null
}) {
  return (
    <p>
      {build} {task} {iteration}
    </p>
  )
}
