export const name = 'chatty'

/**
 * Logs its config with the console methods that usually write to stdout.
 * @param {unknown} _ctx
 * @param {unknown} config
 */
export function apply(_ctx, config) {
  console.log('config', JSON.stringify(config))
  console.info('info')
  console.debug('debug')
  console.table([['table']])
}
