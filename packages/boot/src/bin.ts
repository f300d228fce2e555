#!/usr/bin/env node
// The `acp-agent` command of the published package, whose plugins are JavaScript. In the repository, bin/acp-agent.mjs
// bundles the sources.
import { pathToFileURL } from 'node:url'
import { main } from './index.ts'

await main(process.argv.slice(2), (file) => pathToFileURL(file).href)
