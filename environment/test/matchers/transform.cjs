const esbuild = require('esbuild')

/**
 * Compiles our sources for the Jest projects of these tests. Each project has a cold cache, so ts-jest would take
 * seconds. The tests in `e2e/` use the transform that a user has.
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
