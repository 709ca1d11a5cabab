import { Loading } from '../parts/loading.tsx'
export function BuildPage({ build, tab }: { readonly build: string; readonly tab: string }) {
  return (
    <p>
      {build} {tab} <Loading />
    </p>
  )
}
