import { normalize, normalizeText } from './support.ts'

const paths = { cwd: ['/tmp/x'], home: ['/home/u'] }

describe('a path boundary', () => {
  test.each([
    ['/tmp/x', '{{cwd}}'],
    ['/tmp/x/', '{{cwd}}/'],
    ['/tmp/x/out.txt', '{{cwd}}/out.txt'],
    ['It is in /tmp/x.', 'It is in {{cwd}}.'],
    ['in /tmp/x. Then', 'in {{cwd}}. Then'],
    ['wait for /tmp/x...', 'wait for {{cwd}}...'],
    ['"/tmp/x"', '"{{cwd}}"'],
    ["'/tmp/x'", "'{{cwd}}'"],
    ['(/tmp/x)', '({{cwd}})'],
    ['`/tmp/x`', '`{{cwd}}`'],
    ['**/tmp/x**', '**{{cwd}}**'],
    ['<path>/tmp/x</path>', '<path>{{cwd}}</path>'],
    ['a:/tmp/x:b', 'a:{{cwd}}:b'],
    ['cd /tmp/x;', 'cd {{cwd}};'],
    ['HOME=/home/u PWD=/tmp/x', 'HOME={{home}} PWD={{cwd}}'],
    ['@/tmp/x/a.ts', '@{{cwd}}/a.ts'],
    ['--- /tmp/x/a\n+++ /tmp/x/a', '--- {{cwd}}/a\n+++ {{cwd}}/a'],
    ['+/tmp/x/a\n-/tmp/x/b', '+{{cwd}}/a\n-{{cwd}}/b'],
    ['\u001b[32m/tmp/x\u001b[0m', '\u001b[32m{{cwd}}\u001b[0m'],
    ['在/tmp/x中', '在{{cwd}}中'],
    ['/tmp/x,/tmp/x', '{{cwd}},{{cwd}}'],
  ])('lies around the path in %j', (text, expected) => {
    expect(normalizeText(text, paths)).toBe(expected)
  })

  test.each([
    '/tmp/xy',
    '/tmp/x.bak',
    '/tmp/x..bak',
    '/tmp/x-1',
    '/tmp/x_1',
    '/tmp/x~',
    '/tmp/x@2',
    '/tmp/x%20y',
    '/tmp/x\\ y',
    '/tmp/x{a,b}',
    '/tmp/xé',
    '/foo/tmp/x',
    './tmp/x',
    '~/tmp/x',
    'foo-/tmp/x',
    'https://host/tmp/x',
    'https://tmp/x',
    '{{cwd}}/tmp/x',
    'a/tmp/x',
    '/tmp',
    '/TMP/X',
  ])('is missing in %j, which stays', (text) => {
    expect(normalizeText(text, paths)).toBe(text)
  })
})

describe('a spelling of a known path', () => {
  test.each([
    ['with /private before it', '/private/tmp/x/a', '{{cwd}}/a'],
    ['a file URL', 'file:///tmp/x/a', 'file://{{cwd}}/a'],
    ['a file URL of this host', 'file://localhost/tmp/x/a', 'file://localhost{{cwd}}/a'],
    ['a file URL of the real path', 'file:///private/tmp/x/a#L10', 'file://{{cwd}}/a#L10'],
    ['escaped slashes', '\\/tmp\\/x\\/a', '{{cwd}}\\/a'],
    ['slashes escaped twice', '\\\\/tmp\\\\/x\\\\/a', '{{cwd}}\\\\/a'],
    ['a file URL with escaped slashes', 'file:\\/\\/\\/tmp\\/x', 'file:\\/\\/{{cwd}}'],
    [
      'JSON inside a string',
      '{"out":"one\\n/tmp/x\\ntwo \\"/tmp/x\\""}',
      '{"out":"one\\n{{cwd}}\\ntwo \\"{{cwd}}\\""}',
    ],
    ['a part of a query', '?dir=%2Ftmp%2Fx%2Fa', '?dir={{cwd}}%2Fa'],
    ['a doubled slash', '/tmp//x/a', '{{cwd}}/a'],
    ['without its leading slash', 'tmp/x/out.txt', '{{cwd:relative}}/out.txt'],
    ['without the leading slash of the real path', 'private/tmp/x/out.txt', '{{cwd:relative}}/out.txt'],
    ['climbing to the root', '../../tmp/x/out.txt', '../../{{cwd:relative}}/out.txt'],
  ])('is found: %s', (_, text, expected) => {
    expect(normalizeText(text, paths)).toBe(expected)
  })

  test('is found without /private when the known path has it', () => {
    expect(normalizeText('/tmp/x /private/tmp/x tmp/x', { cwd: ['/private/tmp/x'] })).toBe(
      '{{cwd}} {{cwd}} {{cwd:relative}}',
    )
  })

  test('is found percent-encoded and JSON-escaped, where the path has characters that need it', () => {
    const cwd = ['/tmp/my dir/é"(1)']
    expect(normalizeText('file:///tmp/my%20dir/%C3%A9%22(1)/a%20b', { cwd })).toBe('file://{{cwd}}/a%20b')
    expect(normalizeText('file:///tmp/my%20dir/%c3%a9%22%281%29', { cwd })).toBe('file://{{cwd}}')
    expect(normalizeText('{"p":"/tmp/my dir/\\u00e9\\"(1)"}', { cwd })).toBe('{"p":"{{cwd}}"}')
    expect(normalizeText('/tmp/my dir/é"(1)/a', { cwd })).toBe('{{cwd}}/a')
  })

  test('without its leading slash is not known for a path of one name, which could be any word', () => {
    expect(normalizeText('tmp files in /tmp', { tmp: ['/tmp'] })).toBe('tmp files in {{tmp}}')
  })
})

describe('a Windows path', () => {
  const windows = { cwd: ['C:\\Users\\runner\\x', 'C:\\Users\\RUNNER~1\\x'] }

  test.each([
    ['as given', 'C:\\Users\\runner\\x\\a.txt', '{{cwd}}\\a.txt'],
    ['its short name', 'C:\\Users\\RUNNER~1\\x\\a.txt', '{{cwd}}\\a.txt'],
    ['with slashes', 'C:/Users/runner/x/a.txt', '{{cwd}}/a.txt'],
    ['with mixed separators', 'C:\\Users/runner\\x/a\\b', '{{cwd}}/a\\b'],
    ['with a small drive letter', 'c:\\Users\\runner\\x', '{{cwd}}'],
    ['escaped', '{"p":"C:\\\\Users\\\\runner\\\\x\\\\a"}', '{"p":"{{cwd}}\\\\a"}'],
    ['escaped twice', 'C:\\\\\\\\Users\\\\\\\\runner\\\\\\\\x', '{{cwd}}'],
    ['after an escaped newline', 'one\\nC:\\\\Users\\\\runner\\\\x', 'one\\n{{cwd}}'],
    ['a file URL', 'file:///C:/Users/runner/x/a', 'file://{{cwd}}/a'],
    ["an editor's file URL", 'file:///c%3A/Users/runner/x/a', 'file://{{cwd}}/a'],
    ['at the end of a sentence', 'It is C:\\Users\\runner\\x.', 'It is {{cwd}}.'],
  ])('is found: %s', (_, text, expected) => {
    expect(normalizeText(text, windows)).toBe(expected)
  })

  test.each(['C:\\Users\\runner\\xy', 'C:\\Users\\runner\\x.bak', 'D:\\Users\\runner\\x', 'ABC:\\Users\\runner\\x'])(
    'is not %j',
    (text) => {
      expect(normalizeText(text, windows)).toBe(text)
    },
  )

  test('may be on another host', () => {
    const cwd = ['\\\\host\\share\\x']
    expect(normalizeText('\\\\host\\share\\x\\a \\\\\\\\host\\\\share\\\\x', { cwd })).toBe('{{cwd}}\\a {{cwd}}')
    expect(normalizeText('\\\\host\\share\\xy', { cwd })).toBe('\\\\host\\share\\xy')
  })

  test('leaves backslashes elsewhere as they are', () => {
    const text = 'C:\\Windows\\x \\d+ \\\\host\\share'
    expect(normalizeText(text, windows)).toBe(text)
  })
})

describe('of several known paths', () => {
  test('the longest wins, whatever the order and the spelling', () => {
    const nested = { tmp: ['/private/tmp'], cwd: ['/tmp/x'], deep: ['/tmp/x/deep'] }
    expect(normalizeText('/tmp/a /tmp/x/a /private/tmp/x/deep/a file:///tmp/x/deep', nested)).toBe(
      '{{tmp}}/a {{cwd}}/a {{deep}}/a file://{{deep}}',
    )
  })

  test('each alias becomes the same token', () => {
    expect(normalizeText('/tmp/x /var/real/x', { cwd: ['/tmp/x', '/var/real/x'] })).toBe('{{cwd}} {{cwd}}')
  })

  test('a root and a relative path are none', () => {
    const text = '/ C:\\ src /etc C:\\a \\\\ \\\\host'
    expect(normalizeText(text, { root: ['/', 'C:\\', ''], relative: ['src', '\\\\'] })).toBe(text)
  })

  test('a path with characters of regular expressions means itself', () => {
    expect(normalizeText('/tmp/a+b[c]$/f /tmp/aab', { cwd: ['/tmp/a+b[c]$'] })).toBe('{{cwd}}/f /tmp/aab')
  })
})

describe('a known path in the key of an object', () => {
  test('is rewritten', () => {
    expect(normalize([{ files: { '/tmp/x/b': 1, '/tmp/x/a': 2 } }], { paths })).toEqual([
      { files: { '{{cwd}}/b': 1, '{{cwd}}/a': 2 } },
    ])
  })

  test('never makes two keys one', () => {
    const files = { '/tmp/x': 1, '/private/tmp/x': 2, 'file:///tmp/x': 3, '{{cwd}}': 4 }
    const expected = { '{{cwd}} (2)': 1, '{{cwd}} (3)': 2, 'file://{{cwd}}': 3, '{{cwd}}': 4 }
    expect(normalize([files], { paths })).toEqual([expected])
    expect(normalize([expected], { paths })).toEqual([expected])
  })
})
