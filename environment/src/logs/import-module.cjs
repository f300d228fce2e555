/**
 * Imports a module of the consumer. Plain CommonJS, because a transform to CommonJS would turn `import()` into `require`,
 * and Node 20 cannot require an ES module.
 *
 * @param {string} url
 * @returns {Promise<unknown>}
 */
function importModule(url) {
  return import(url)
}

module.exports = { importModule }
