import type { KnipConfig } from 'knip'

/** The entries are files that no import names: they are started as processes, or loaded by a path. */
const config: KnipConfig = {
  workspaces: {
    '.': {
      entry: [
        'bench/bench.ts',
        'fuzz/main.ts',
        'release/main.ts',
        'examples/agents/run.ts',
        'examples/agents/*/jest.config.mjs',
      ],
      // Its example agent is started by the path of its file.
      ignoreDependencies: ['acp-sdk-1'],
    },
    environment: {
      entry: [
        'src/cli/bin.ts',
        'src/child/reaper-process.cjs',
        'src/record/commit-process.cjs',
        'src/secrets/secretlint-process.mjs',
        'test/child/{host,idle-host}.ts',
        'test/child/parent.cjs',
        'test/record/{committer.ts,journal-committer.cjs}',
      ],
    },
    'packages/boot': {
      entry: ['bin/*.mjs', 'src/bin.ts'],
      // Loaded when a bundle is missing.
      ignoreDependencies: ['esbuild'],
    },
    'packages/llm-server': { entry: ['src/bin.ts'] },
    'packages/session-persistence-jsonl': { entry: ['test/contender.ts'] },
    'packages/shell-local': { entry: ['test/plugin.probe.ts'] },
    'packages/tool-bash': { entry: ['test/plugin.probe.ts'] },
    'packages/tools': { entry: ['test/registry.probe.ts'] },
    testing: {
      entry: ['agents/*.mjs', 'plugins/*.mjs', 'agent.yml'],
      // A plugin that must not load.
      ignoreDependencies: ['no-such-library'],
    },
    'examples/acp-agent': {
      entry: ['*.yml'],
      // Its bin is started.
      ignoreDependencies: ['@acp-snapshot/boot'],
    },
  },
  compilers: {
    // A composition names its plugins.
    yml: (text) => [...text.matchAll(/name: "(.+)"/g)].map(([, name]) => `import '${name}'`).join('\n'),
    // So that the exports of a CommonJS file count one by one.
    cjs: (text) =>
      text
        .replace(/^const (\w+) = require\((.*)\)$/gm, 'import * as $1 from $2')
        .replace(/^module\.exports = (\{.*\})$/m, 'export $1'),
  },
  ignoreBinaries: ['mkfifo', 'prlimit', 'truncate'],
}

export default config
