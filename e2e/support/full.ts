/** `E2E_FULL=1`: tests with many similar cases run all of them. Otherwise they run a few of each kind. */
export const FULL = process.env.E2E_FULL === '1'
