// What both kinds of workers write, so that both write the same.

/** What an agent says when it has finished a task. */
export const RESULT = { commit: '5f2c1d09e6b7a8340c1f6e2d7b9a05c48e3d1f72' }
export const LEASE_SECONDS = 600
