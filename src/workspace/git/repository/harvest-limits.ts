// The limits of one harvest. Beyond them the agent is told what to remove.

export interface HarvestLimits {
  /** Of one file. */
  readonly fileBytes: number
  /** Of all files that changed. */
  readonly totalBytes: number
  /** Files that changed. */
  readonly files: number
  /** Of a path, from the folder on. */
  readonly pathBytes: number
  /** Folders within folders. */
  readonly depth: number
}

export const HARVEST_LIMITS: HarvestLimits = {
  fileBytes: 50_000_000,
  totalBytes: 200_000_000,
  files: 20_000,
  pathBytes: 1_024,
  depth: 64,
}
