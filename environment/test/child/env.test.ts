import { join } from 'node:path'
import { childEnv } from '../../src/child/env.ts'

const workplace = { home: '/w/home', tmp: '/w/tmp' }

test('on POSIX, nothing but the PATH comes from the host', () => {
  const host = {
    PATH: '/bin',
    HOME: '/root',
    TMPDIR: '/var',
    LC_ALL: 'de_DE.UTF-8',
    NODE_OPTIONS: '--inspect',
    NODE_ENV: 'test',
    JEST_WORKER_ID: '1',
    FORCE_COLOR: '1',
    DEEPSEEK_API_KEY: 'secret',
  }
  expect(childEnv({}, workplace, host, 'linux')).toEqual({
    PATH: '/bin',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NO_COLOR: '1',
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

test('on Windows, what a process cannot start without comes along, however it is spelled', () => {
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

test("on Windows, the user's value replaces ours, in whatever case it is named", () => {
  const env = childEnv({ Path: 'D:\\bin' }, workplace, { PATH: 'C:\\bin' }, 'win32')
  expect(env.Path).toBe('D:\\bin')
  expect(env).not.toHaveProperty('PATH')
})
