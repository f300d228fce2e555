/** Whether tests of many alike cases run all of them: `E2E_FULL=1`. Otherwise a share, in which each kind is. */
export const FULL = process.env.E2E_FULL === '1'
