import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileRefusedError, readRegularText, writeRegularFile } from '../../src/io/regular-file.ts'

const root = fs.mkdtempSync(join(tmpdir(), 'regular-file-'))
const within = join(root, 'inside')
const outside = join(root, 'outside.txt')
const limits = { maxBytes: 1000, within }
const at = (name: string) => join(within, name)

beforeEach(() => {
  fs.mkdirSync(within)
  fs.writeFileSync(outside, 'not for you\n')
})
afterEach(() => fs.rmSync(within, { recursive: true }))
afterAll(() => fs.rmSync(root, { recursive: true }))

test('reads a regular file, and through a link that stays inside', () => {
  fs.writeFileSync(at('a.txt'), 'text\n')
  fs.symlinkSync('a.txt', at('link'))
  expect(readRegularText(at('a.txt'), limits)).toBe('text\n')
  expect(readRegularText(at('link'), limits)).toBe('text\n')
})

test('returns undefined for a missing file', () => {
  fs.symlinkSync('gone', at('dangling'))
  expect(readRegularText(at('gone'), limits)).toBeUndefined()
  expect(readRegularText(at('dangling'), limits)).toBeUndefined()
  expect(readRegularText(at('gone/deeper'), limits)).toBeUndefined()
})

test.each<[string, string, (path: string) => void]>([
  ['a FIFO', 'is a FIFO, not a regular file', (path) => execFileSync('mkfifo', [path])],
  ['a directory', 'is a directory, not a regular file', (path) => fs.mkdirSync(path)],
  ['a file outside', `leads out of ${within}`, (path) => fs.symlinkSync(outside, path)],
  ['an endless device', `leads out of ${within}`, (path) => fs.symlinkSync('/dev/zero', path)],
  ['itself', 'is a symbolic link that leads back to itself', (path) => fs.symlinkSync(path, path)],
])('refuses to read or write %s', (_, problem, make) => {
  make(at('x'))
  expect(() => readRegularText(at('x'), limits)).toThrow(`${at('x')} ${problem}`)
  expect(() => writeRegularFile(at('x'), 'new', { within })).toThrow(`${at('x')} ${problem}`)
  expect(fs.readFileSync(outside, 'utf8')).toBe('not for you\n')
})

test('refuses a device without `within` too', () => {
  fs.symlinkSync('/dev/zero', at('zero'))
  expect(() => readRegularText(at('zero'), { maxBytes: 1000 })).toThrow('is a device, not a regular file')
})

test('refuses a file that is too long, a sparse one and one without a size too', () => {
  fs.writeFileSync(at('long'), '')
  fs.truncateSync(at('long'), 3 * 1024 ** 3)
  expect(() => readRegularText(at('long'), limits)).toThrow('is too long: it has 3221225472 bytes')
  if (process.platform === 'linux') {
    expect(() => readRegularText('/proc/cpuinfo', { maxBytes: 10 })).toThrow('is too long: it goes on')
  }
})

test('writes a new file, makes its directories, and replaces the whole of an old one', () => {
  writeRegularFile(at('new/deep/a.txt'), 'one, and longer', { within })
  writeRegularFile(at('new/deep/a.txt'), 'two', { within })
  expect(fs.readFileSync(at('new/deep/a.txt'), 'utf8')).toBe('two')
})

test('creates no directory and no file outside', () => {
  fs.symlinkSync(root, at('up'))
  fs.symlinkSync('gone', at('dangling'))
  expect(() => writeRegularFile(at('up/new/a.txt'), '', { within })).toThrow(FileRefusedError)
  expect(() => writeRegularFile(at('up/outside.txt'), '', { within })).toThrow(FileRefusedError)
  expect(() => writeRegularFile(at('dangling'), '', { within })).toThrow('is a symbolic link that leads nowhere')
  expect(fs.readdirSync(root).sort()).toEqual(['inside', 'outside.txt'])
})

const onLinux = process.platform === 'linux' ? test : test.skip

onLinux.each(['read', 'write'])('refuses a directory that becomes a link just before it is opened: %s', (use) => {
  fs.mkdirSync(at('dir'))
  fs.writeFileSync(at('dir/outside.txt'), 'inside\n')
  const open = fs.openSync
  const spy = jest.spyOn(fs, 'openSync').mockImplementationOnce((...args) => {
    fs.renameSync(at('dir'), at('moved'))
    fs.symlinkSync(root, at('dir'))
    return open(...args)
  })
  const act = () =>
    use === 'read'
      ? readRegularText(at('dir/outside.txt'), limits)
      : writeRegularFile(at('dir/outside.txt'), '', { within })
  expect(act).toThrow('leads out of')
  spy.mockRestore()
  expect(fs.readFileSync(outside, 'utf8')).toBe('not for you\n')
})

onLinux.each(['read', 'write'])('does not wait for a file that becomes a FIFO just before it is opened: %s', (use) => {
  fs.writeFileSync(at('x'), '')
  const open = fs.openSync
  const spy = jest.spyOn(fs, 'openSync').mockImplementationOnce((path, flags, mode) => {
    // Otherwise this test would hang as well.
    if ((Number(flags) & fs.constants.O_NONBLOCK) === 0) throw new Error('this open blocks')
    fs.unlinkSync(at('x'))
    execFileSync('mkfifo', [at('x')])
    return open(path, flags, mode)
  })
  const act = () => (use === 'read' ? readRegularText(at('x'), limits) : writeRegularFile(at('x'), '', { within }))
  expect(act).toThrow(/is a FIFO, not a regular file|cannot be opened: ENXIO/)
  spy.mockRestore()
})
