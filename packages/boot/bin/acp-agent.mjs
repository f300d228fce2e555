#!/usr/bin/env node
import { pathToFileURL } from 'node:url'
import { currentBuild } from './build.mjs'

const { entry, pluginUrl } = build()
const { main } = await import(pathToFileURL(entry).href)
await main(process.argv.slice(2), pluginUrl)

function build() {
  try {
    return currentBuild()
  } catch (error) {
    process.stderr.write(`acp-agent: cannot build the agent: ${error instanceof Error ? error.message : error}\n`)
    process.exit(1)
  }
}
