#!/usr/bin/env node
// The `acp-snapshot` command of the published package. In the repository, bin/acp-snapshot.mjs runs the sources.
import { runCommandLine } from './main.ts'

void runCommandLine()
