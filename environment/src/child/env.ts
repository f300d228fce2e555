import { dirname, join } from 'node:path'
import type { Workplace } from './workplace.ts'

/** The host's variables that the agent gets. Windows cannot start a process without its longer list. */
const ALLOWED = {
  posix: ['PATH'],
  windows: ['PATH', 'PATHEXT', 'SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PROCESSOR_ARCHITECTURE'],
}

/** Without a terminal, no program may prompt, page its output or fit it to a window. */
const NO_TERMINAL = {
  TERM: 'dumb',
  COLUMNS: '80',
  LINES: '24',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
}

/** Git reads no configuration of the machine, and does not derive an identity from the account and the host name. */
const GIT = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'user.useConfigOnly',
  GIT_CONFIG_VALUE_0: 'true',
}

/**
 * The agent's whole environment, so that a transcript is the same on every machine, in band and in a worker.
 * `docs/environment.md` lists each variable with its reason.
 *
 * It is built from an allow-list, so other variables of the host (keys, `NODE_OPTIONS`, `NODE_ENV`, `JEST_WORKER_ID`,
 * `FORCE_COLOR`, `CI`, `EDITOR`, a locale …) never reach the agent. Home, temp and XDG directories are in the workplace,
 * and Git does not look for a repository above it. `LC_ALL` stays unset, so that `LANG` can be overridden. `NO_COLOR` is
 * set because some programs colour a pipe on Windows.
 *
 * @param extra the user's own `env` option; it overrides every other value
 */
export function childEnv(
  extra: Readonly<Record<string, string>>,
  workplace: Pick<Workplace, 'home' | 'tmp'>,
  host: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const windows = platform === 'win32'
  const base = {
    ...pick(host, windows ? ALLOWED.windows : ALLOWED.posix, windows),
    ...(windows ? {} : { SHELL: '/bin/sh' }),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    ...NO_TERMINAL,
    ...GIT,
    GIT_CEILING_DIRECTORIES: dirname(workplace.home),
    ...homeEnv(workplace.home, windows),
    TMPDIR: workplace.tmp,
    TMP: workplace.tmp,
    TEMP: workplace.tmp,
  }
  return windows ? mergeIgnoringCase(base, extra) : { ...base, ...extra }
}

/** The host's variables of these names, as far as they are set. */
export function passedEnv(
  names: readonly string[],
  host: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  return pick(host, names, platform === 'win32')
}

/** On Windows, names of variables are case-insensitive (`Path`). */
function pick(host: NodeJS.ProcessEnv, names: readonly string[], windows: boolean): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const name of names) {
    const key = windows ? Object.keys(host).find((key) => key.toUpperCase() === name.toUpperCase()) : name
    const value = key === undefined ? undefined : host[key]
    if (value !== undefined) picked[name] = value
  }
  return picked
}

function homeEnv(home: string, windows: boolean): Record<string, string> {
  const xdg = {
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
  }
  if (!windows) return { HOME: home, ...xdg }
  const appData = { APPDATA: join(home, 'AppData', 'Roaming'), LOCALAPPDATA: join(home, 'AppData', 'Local') }
  return { HOME: home, USERPROFILE: home, ...appData, ...xdg }
}

function mergeIgnoringCase(
  base: Record<string, string>,
  extra: Readonly<Record<string, string>>,
): Record<string, string> {
  const overridden = new Set(Object.keys(extra).map((key) => key.toUpperCase()))
  const kept = Object.entries(base).filter(([key]) => !overridden.has(key.toUpperCase()))
  return { ...Object.fromEntries(kept), ...extra }
}
