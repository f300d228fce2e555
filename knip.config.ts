import type { KnipConfig } from 'knip'

/** The entries are files that nothing imports: they are started as processes, or loaded by path. */
const config: KnipConfig = {
  workspaces: {
    '.': { entry: ['bench/bench.ts', 'fuzz/main.ts'] },
    environment: {
      entry: [
        'src/child/reaper-process.cjs',
        'src/record/commit-process.cjs',
        'src/scenario/secretlint-process.mjs',
        'test/agents/*.mjs',
        'test/child/{host,idle-host}.ts',
        'test/child/parent.cjs',
        'test/matchers/transform.cjs',
        'test/record/{committer.ts,journal-committer.cjs}',
      ],
    },
    'packages/boot': {
      entry: ['bin/*.mjs', 'test/plugins/*.mjs', 'test/agent.yml'],
      // esbuild is loaded only when a bundle is missing; a test's plugin imports a library that does not exist.
      ignoreDependencies: ['esbuild', 'no-such-library'],
    },
    'packages/session-persistence-jsonl': { entry: ['test/contender.ts'] },
    'packages/shell-local': { entry: ['test/plugin.probe.ts'] },
    'packages/tool-bash': { entry: ['test/plugin.probe.ts'] },
    'packages/tools': { entry: ['test/registry.probe.ts'] },
    'examples/acp-agent': {
      entry: ['*.yml'],
      // Started by path, not imported.
      ignoreDependencies: ['@acp-snapshot/boot'],
    },
  },
  compilers: {
    // A config of the agent names its plugins.
    yml: (text) => [...text.matchAll(/name: "(.+)"/g)].map(([, name]) => `import '${name}'`).join('\n'),
    // Rewritten as ESM, so that knip checks each export of a CommonJS file.
    cjs: (text) =>
      text
        .replace(/^const (\w+) = require\((.*)\)$/gm, 'import * as $1 from $2')
        .replace(/^module\.exports = (\{.*\})$/m, 'export $1'),
  },
  ignoreBinaries: ['mkfifo', 'prlimit', 'truncate'],
}

export default config
