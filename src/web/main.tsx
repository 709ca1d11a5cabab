import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RequestRefused } from '../operations/contract/client.ts'
import { App } from './app.tsx'
import { applyTheme } from './theme.tsx'

// A dialog stops the page from scrolling with a style element, which needs the nonce of the policy.
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce
Object.assign(globalThis, { __webpack_nonce__: nonce })

const RETRIES = 2
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The feed reports changes, so data never becomes stale.
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < RETRIES && !(error instanceof RequestRefused && error.status >= 400 && error.status < 500),
    },
  },
})

applyTheme()
const root = document.querySelector('#root')
if (root === null) throw new Error('index.html has no place for the page')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
