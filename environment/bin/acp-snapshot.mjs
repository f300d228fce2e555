#!/usr/bin/env node
// In the repository, the command runs the sources. A published package has a built file in this place.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
require('esbuild-register')
const { runCommandLine } = require('../src/cli/main.ts')
await runCommandLine()
