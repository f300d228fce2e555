// Reads everything, answers nothing, and stays when its stdin ends. SIGTERM ends it.
process.stdin.resume()
setInterval(() => {}, 60_000)
