import type { Cases } from '../cases.ts'

const planted = (path: string) => ({ what: path, files: { [path]: '' }, found: [`${path}:1`] })
const innocent = (path: string) => ({ what: path, files: { [path]: '' } })

export const namesCases: Cases = {
  planted: [
    planted('src/store/store-manager.ts'),
    planted('src/engine/task_service.ts'),
    planted('test/crash/helpers.ts'),
    planted('src/utils/text.ts'),
    planted('src/web/common.tsx'),
    planted('src/core/misc.test.ts'),
    planted('src/http/requestManager.ts'),
  ],
  innocent: [
    innocent('src/store/database.ts'),
    innocent('src/checks/baseline.ts'),
    innocent('src/workspace/git/rebase.ts'),
    innocent('src/core/utility-of-money.ts'),
    innocent('src/http/request-handler.ts'),
    innocent('src/core/evidence/base-judged-run.ts'),
    innocent('docs/decisions/0001-base-image.md'),
  ],
}
