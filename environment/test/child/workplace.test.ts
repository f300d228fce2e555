import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import os, { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createWorkplace, type Workplace } from '../../src/child/workplace.ts'
import { isAlive } from './drive.ts'

let seed: string
let workplace: Workplace | undefined

beforeEach(() => {
  seed = fs.mkdtempSync(join(tmpdir(), 'seed-'))
})

afterEach(() => {
  workplace?.remove()
  workplace = undefined
  fs.rmSync(seed, { recursive: true })
})

function create(options?: Parameters<typeof createWorkplace>[0]): Workplace {
  workplace = createWorkplace(options)
  return workplace
}

test('makes empty directories under one root, which only its owner can read', () => {
  const { root, cwd, home, sessions, tmp, report } = create()
  expect(basename(root)).toMatch(/^acp-/)
  for (const dir of [cwd, home, sessions, tmp]) expect(fs.readdirSync(dir)).toEqual([])
  expect(fs.readdirSync(root).sort()).toEqual(['.owner', 'cwd', 'home', 'sessions', 'tmp'])
  expect(fs.statSync(root).mode & 0o777).toBe(0o700)
  expect(fs.existsSync(report)).toBe(false)
})

test('copies the seed with its modes, and its symlinks as they are', () => {
  fs.mkdirSync(join(seed, 'bin'))
  fs.writeFileSync(join(seed, 'bin', 'run.sh'), '#!/bin/sh\n', { mode: 0o755 })
  fs.writeFileSync(join(seed, 'read-only.txt'), 'x', { mode: 0o444 })
  fs.symlinkSync(join('bin', 'run.sh'), join(seed, 'link'))
  fs.symlinkSync('nowhere', join(seed, 'dangling'))
  fs.chmodSync(join(seed, 'bin'), 0o555)

  const { cwd } = create({ seed })
  fs.chmodSync(join(seed, 'bin'), 0o755)
  const mode = (...path: string[]) => fs.statSync(join(cwd, ...path)).mode & 0o777
  expect([mode('bin'), mode('bin', 'run.sh'), mode('read-only.txt')]).toEqual([0o555, 0o755, 0o444])
  expect(fs.readFileSync(join(cwd, 'bin', 'run.sh'), 'utf8')).toBe('#!/bin/sh\n')
  expect(fs.readlinkSync(join(cwd, 'link'))).toBe(join('bin', 'run.sh'))
  expect(fs.readlinkSync(join(cwd, 'dangling'))).toBe('nowhere')
})

test('setuid, setgid and sticky bits are dropped, and modes do not depend on the umask of the checkout', () => {
  fs.mkdirSync(join(seed, 'dir'))
  const modes = { setuid: 0o4755, setgid: 0o2755, private: 0o600, shared: 0o664, tool: 0o700 }
  for (const [name, mode] of Object.entries(modes)) {
    fs.writeFileSync(join(seed, name), '')
    fs.chmodSync(join(seed, name), mode)
  }
  fs.chmodSync(join(seed, 'dir'), 0o1700)
  const umask = process.umask(0o077)
  try {
    const { cwd, home, tmp } = create({ seed })
    const mode = (...path: string[]) => (fs.statSync(join(...path)).mode & 0o7777).toString(8)
    expect([cwd, home, tmp].map((dir) => mode(dir))).toEqual(['755', '755', '755'])
    expect([...Object.keys(modes), 'dir'].map((name) => mode(cwd, name))).toEqual([
      '755',
      '755',
      '644',
      '644',
      '755',
      '755',
    ])
  } finally {
    process.umask(umask)
  }
})

test('a seed that is a link is an error', () => {
  fs.symlinkSync('/etc', join(seed, 'link'))
  expect(() => createWorkplace({ seed: join(seed, 'link') })).toThrow(/link.*is not a directory/)
})

test('a missing seed is an error, and leaves nothing behind', () => {
  const spy = jest.spyOn(os, 'tmpdir').mockReturnValue(seed)
  expect(() => createWorkplace({ seed: join(seed, 'missing') })).toThrow(/missing.*is not a directory/)
  spy.mockRestore()
  expect(fs.readdirSync(seed)).toEqual([])
})

test('a seed with a pipe in it is an error', () => {
  spawnSync('mkfifo', [join(seed, 'pipe')])
  expect(() => createWorkplace({ seed })).toThrow(/pipe.*neither file, directory nor symlink/)
})

test('lists every spelling of a directory, the real path first', () => {
  const link = `${seed}-link`
  fs.symlinkSync(seed, link)
  const spy = jest.spyOn(os, 'tmpdir').mockReturnValue(link)
  try {
    const { root, cwd, paths } = create()
    expect(cwd).toBe(join(fs.realpathSync(seed), basename(root), 'cwd'))
    expect(paths().cwd).toEqual([cwd, join(link, basename(root), 'cwd')])
    expect(Object.keys(paths()).sort()).toEqual(['cwd', 'home', 'root', 'sessions', 'tmp'])
  } finally {
    spy.mockRestore()
    fs.unlinkSync(link)
  }
})

test('removes read-only directories, but not the targets of symlinks', () => {
  fs.writeFileSync(join(seed, 'keep.txt'), 'x')
  const { root, cwd, remove } = create()
  fs.mkdirSync(join(cwd, 'a', 'b'), { recursive: true })
  fs.writeFileSync(join(cwd, 'a', 'b', 'c.txt'), 'x', { mode: 0o400 })
  fs.symlinkSync(seed, join(cwd, 'a', 'outside'))
  fs.chmodSync(join(cwd, 'a', 'b'), 0o000)
  fs.chmodSync(join(cwd, 'a'), 0o500)
  remove()
  expect(fs.existsSync(root)).toBe(false)
  expect(fs.readFileSync(join(seed, 'keep.txt'), 'utf8')).toBe('x')
})

test('removing twice is not an error', () => {
  const { remove } = create()
  remove()
  remove()
})

const onLinux = process.platform === 'linux' ? test : test.skip

onLinux('kills the processes whose home or temp directory it was, and no others', async () => {
  const { tmp, remove } = create()
  const sleep = (env: Record<string, string>) =>
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], { env, detached: true, stdio: 'ignore' })
  const inside = sleep({ TMPDIR: tmp })
  const outside = sleep({ TMPDIR: tmpdir() })
  const exit = once(inside, 'exit')
  remove()
  expect(await exit).toEqual([null, 'SIGKILL'])
  expect(isAlive(outside.pid ?? 0)).toBe(true)
  outside.kill('SIGKILL')
})

onLinux('leaves a process alone that was there before: a person may look into the directory', async () => {
  const shell = spawn('sh', [], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    const { cwd, strays, remove } = create()
    shell.stdin.write(`cd '${cwd}' && echo there\n`)
    expect(String(await once(shell.stdout, 'data'))).toBe('there\n')
    expect(strays()).toEqual([])
    remove()
    expect(isAlive(shell.pid ?? 0)).toBe(true)
  } finally {
    shell.kill('SIGKILL')
  }
})

describe('a directory of a killed run', () => {
  const NAME = 'acp-0123456789ab'
  const DAY_MS = 24 * 60 * 60 * 1000

  /** Makes a workplace in a temp directory of its own, where something has been left. */
  function sweep(leave: (root: string) => void): string {
    const temp = fs.mkdtempSync(join(seed, 'tmp-'))
    const root = join(temp, NAME)
    leave(root)
    const spy = jest.spyOn(os, 'tmpdir').mockReturnValue(temp)
    try {
      create()
    } finally {
      spy.mockRestore()
    }
    return root
  }

  const owned = (change: object) => (root: string) => {
    fs.mkdirSync(join(root, 'cwd'), { recursive: true })
    const mine = JSON.parse(fs.readFileSync(join(create().root, '.owner'), 'utf8'))
    workplace?.remove()
    fs.writeFileSync(join(root, '.owner'), JSON.stringify({ ...mine, ...change }))
  }

  test.each([
    ['whose owner is gone', { pid: 2 ** 22 + 1 }],
    ['whose owner had a pid that is ours now', { start: 'earlier' }],
    ['whose owner had a pid that is the first process', { pid: 1 }],
  ])('is removed by the next one: a directory %s', (_, change) => {
    expect(fs.existsSync(sweep(owned(change)))).toBe(false)
  })

  test.each<[string, (root: string) => void]>([
    ['of a running owner', owned({})],
    ['of an owner in another container', owned({ place: 'elsewhere', pid: 2 ** 22 + 1 })],
    ['without an owner file', (root) => fs.mkdirSync(root)],
    [
      'whose owner file is a FIFO',
      (root) => {
        fs.mkdirSync(root)
        spawnSync('mkfifo', [join(root, '.owner')])
      },
    ],
    ['that is a file', (root) => fs.writeFileSync(root, '')],
  ])('stays: one %s', (_, leave) => {
    expect(fs.existsSync(sweep(leave))).toBe(true)
  })

  test('stays if it is a link, and so does its target', () => {
    const target = join(seed, 'target')
    owned({ pid: 2 ** 22 + 1 })(target)
    const root = sweep((root) => fs.symlinkSync(target, root))
    expect(fs.lstatSync(root).isSymbolicLink()).toBe(true)
    expect(fs.existsSync(join(target, '.owner'))).toBe(true)
  })

  test('is removed after a day if the owner is unknown', () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + DAY_MS + 60_000)
    try {
      expect(fs.existsSync(sweep((root) => fs.mkdirSync(root)))).toBe(false)
    } finally {
      now.mockRestore()
    }
  })

  onLinux('takes the processes along that still work in it', async () => {
    let child: ReturnType<typeof spawn> | undefined
    sweep((root) => {
      owned({ pid: 2 ** 22 + 1 })(root)
      child = spawn('sleep', ['600'], { cwd: join(root, 'cwd'), env: {}, detached: true, stdio: 'ignore' })
    })
    expect(await once(child ?? process, 'exit')).toEqual([null, 'SIGKILL'])
  })
})
