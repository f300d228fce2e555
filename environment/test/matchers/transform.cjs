const esbuild = require('esbuild')

/**
 * Compiles our sources for the Jest projects of these tests. Each of those has a cold cache, which costs seconds with
 * ts-jest. `e2e/` runs them as a user does.
 *
 * @type {import('@jest/transform').SyncTransformer}
 */
module.exports = {
  process: (source, file) =>
    esbuild.transformSync(source, {
      loader: 'ts',
      format: 'cjs',
      target: 'node20',
      sourcemap: 'inline',
      sourcefile: file,
    }),
}
