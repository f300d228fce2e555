/**
 * Imports a module of the consumer's. Plain CommonJS: a transform to CommonJS makes a `require` of `import()`, and Node 20
 * cannot require an ES module.
 *
 * @param {string} url
 * @returns {Promise<unknown>}
 */
function importModule(url) {
  return import(url)
}

module.exports = { importModule }
