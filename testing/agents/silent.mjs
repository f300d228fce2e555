// Reads everything, answers nothing, and keeps running when its stdin ends. SIGTERM ends it.
process.stdin.resume()
setInterval(() => {}, 60_000)
