import { join } from 'node:path'
import { childEnv } from '../../src/child/env.ts'

const workplace = { home: '/w/home', tmp: '/w/tmp' }

test('on POSIX, nothing but the PATH comes from the host', () => {
  const host = {
    PATH: '/bin',
    HOME: '/root',
    TMPDIR: '/var',
    LC_ALL: 'de_DE.UTF-8',
    TERM: 'xterm',
    COLUMNS: '200',
    CI: 'true',
    GIT_DIR: '/repo/.git',
    GIT_CONFIG_GLOBAL: '/root/.gitconfig',
    NODE_OPTIONS: '--inspect',
    NODE_ENV: 'test',
    JEST_WORKER_ID: '1',
    FORCE_COLOR: '1',
    DEEPSEEK_API_KEY: 'secret',
  }
  expect(childEnv({}, workplace, host, 'linux')).toEqual({
    PATH: '/bin',
    SHELL: '/bin/sh',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'dumb',
    COLUMNS: '80',
    LINES: '24',
    NO_COLOR: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'user.useConfigOnly',
    GIT_CONFIG_VALUE_0: 'true',
    GIT_CEILING_DIRECTORIES: '/w',
    HOME: '/w/home',
    XDG_CONFIG_HOME: join('/w/home', '.config'),
    XDG_CACHE_HOME: join('/w/home', '.cache'),
    XDG_DATA_HOME: join('/w/home', '.local', 'share'),
    XDG_STATE_HOME: join('/w/home', '.local', 'state'),
    TMPDIR: '/w/tmp',
    TMP: '/w/tmp',
    TEMP: '/w/tmp',
  })
})

test("the user's own values win", () => {
  expect(childEnv({ TZ: 'Asia/Tokyo', MY: 'own' }, workplace, {}, 'linux')).toMatchObject({
    TZ: 'Asia/Tokyo',
    MY: 'own',
  })
})

test('on Windows, the variables that a process needs are passed on, in any case of their names', () => {
  const host = { Path: 'C:\\bin', SYSTEMROOT: 'C:\\Windows', ComSpec: 'cmd.exe', PATHEXT: '.EXE', USERNAME: 'me' }
  const env = childEnv({}, workplace, host, 'win32')
  expect(env).toMatchObject({
    PATH: 'C:\\bin',
    SystemRoot: 'C:\\Windows',
    ComSpec: 'cmd.exe',
    PATHEXT: '.EXE',
    USERPROFILE: '/w/home',
  })
  expect(env).not.toHaveProperty('USERNAME')
})

test("on Windows, the user's value replaces ours, in any case of its name", () => {
  const env = childEnv({ Path: 'D:\\bin' }, workplace, { PATH: 'C:\\bin' }, 'win32')
  expect(env.Path).toBe('D:\\bin')
  expect(env).not.toHaveProperty('PATH')
})
