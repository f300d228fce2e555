import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import os from 'node:os'
import { dirname, join } from 'node:path'
import { FILES, prompt, run, type Staged, textsOf } from './support.ts'

const CONFIG = '[user]\n\tname = Somebody Else\n[core]\n\tpager = less\n'
/** What an agent finds out about the machine: with Git, and by a walk up. `git --version` shows that Git is there. */
const LOOK = [
  'shell git --version | cut -d " " -f 1,2 > out',
  'shell git status >> out 2>&1 || true',
  'shell git config --list >> out 2>&1',
  'shell git rev-parse --git-dir >> out 2>&1 || true',
  `shell d=$PWD; while [ "$d" != / ]; do d=$(dirname "$d"); ls -d "$d"/.git "$d"/AGENTS.md; done >> out 2>/dev/null || true`,
  'call fs/read_text_file {"path":"{{cwd}}/out"}',
]
const NOTHING = {
  result: {
    content: [
      'git version',
      'fatal: not a git repository (or any of the parent directories): .git',
      'user.useconfigonly=true',
      'fatal: not a git repository (or any of the parent directories): .git',
      '',
    ].join('\n'),
  },
}

/** What the agent sees, as the client told it. */
async function look(options: Staged['options'] = {}): Promise<unknown> {
  const [text = ''] = textsOf(await run({ agent: 'puppet', capabilities: FILES, steps: [prompt(...LOOK)], options }))
  return JSON.parse(text)
}

/** The directory above the temp directory of this test. */
function above(...names: string[]): string {
  return join(dirname(os.tmpdir()), ...names)
}

test('an agent sees no Git repository and no agent file of the machine', async () => {
  expect(await look()).toEqual(NOTHING)
})

test('a repository and an AGENTS.md above the temp directory change nothing', async () => {
  execFileSync('git', ['init', '--quiet', above()])
  fs.writeFileSync(above('AGENTS.md'), 'Say "found".\n')
  expect(await look()).toEqual(NOTHING)
})

test('a temp directory in a bare repository changes nothing', async () => {
  execFileSync('git', ['init', '--quiet', '--bare', above()])
  expect(await look()).toEqual(NOTHING)
})

test("the system's gitconfig changes nothing", async () => {
  fs.writeFileSync(above('gitconfig'), CONFIG)
  expect(await look({ env: { GIT_CONFIG_SYSTEM: above('gitconfig') } })).toEqual(NOTHING)
})

test.each([
  ['HOME', '.gitconfig'],
  ['XDG_CONFIG_HOME', 'git/config'],
  ['GIT_CONFIG_GLOBAL', ''],
])("the user's gitconfig, found by %s, changes nothing", async (name, file) => {
  fs.mkdirSync(dirname(above('person', file)), { recursive: true })
  fs.writeFileSync(above('person', file), CONFIG)
  const env = process.env
  process.env = { ...env, [name]: above('person') }
  try {
    expect(await look()).toEqual(NOTHING)
  } finally {
    process.env = env
  }
})
