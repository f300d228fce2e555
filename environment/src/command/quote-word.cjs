// Plain CommonJS, because the reporter runs it as it is, without a loader.

/**
 * Quotes a text so that a POSIX shell reads it as one word. What needs no quotes gets none.
 *
 * @param {string} word
 */
function quoteWord(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

module.exports = { quoteWord }
