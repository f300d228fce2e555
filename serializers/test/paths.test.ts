import { pathToFileURL } from 'node:url'
import * as fc from 'fast-check'
import { expectLinear, normalize, normalizeText } from './support.ts'

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

  test.each([
    ['after a doubled slash', '//tmp/x/a', '{{cwd}}/a'],
    ['with doubled and escaped slashes', '\\/\\/tmp\\/\\/x', '{{cwd}}'],
    ['after an option letter', 'git -C/tmp/x log -I/tmp/x/inc', 'git -C{{cwd}} log -I{{cwd}}/inc'],
    ['after an option letter, in JSON', '["-C/tmp/x","-L/tmp/x"]', '["-C{{cwd}}","-L{{cwd}}"]'],
    ['after an option letter, on a new line in JSON', 'cc\\n-I/tmp/x', 'cc\\n-I{{cwd}}'],
    ['as the value of an option', '--dir=/tmp/x --out /tmp/x/o', '--dir={{cwd}} --out {{cwd}}/o'],
    ['in a diff of two directories', 'diff --git a/tmp/x/f b/tmp/x/f', 'diff --git a{{cwd}}/f b{{cwd}}/f'],
    ['in the head of a diff', '--- a/tmp/x/f\n+++ b/tmp/x/f', '--- a{{cwd}}/f\n+++ b{{cwd}}/f'],
    ['in the head of a diff, in JSON', '"x\\n--- a/tmp/x/f\\n+++ b/tmp/x/f"', '"x\\n--- a{{cwd}}/f\\n+++ b{{cwd}}/f"'],
    ['in a diff with other prefixes', '--- i/tmp/x/f\n+++ w/tmp/x/f', '--- i{{cwd}}/f\n+++ w{{cwd}}/f'],
    [
      'in a diff of binary files',
      'Binary files a/tmp/x/f and b/tmp/x/f differ',
      'Binary files a{{cwd}}/f and b{{cwd}}/f differ',
    ],
    ['a file URL, percent-encoded as a whole', '?u=file%3A%2F%2F%2Ftmp%2Fx%2Fa', '?u=file%3A%2F%2F{{cwd}}%2Fa'],
    ['percent-encoded twice', '?u=%252Ftmp%252Fx%252Fa', '?u={{cwd}}%252Fa'],
    ['percent-encoded between encoded quotes', '%22%2Ftmp%2Fx%22', '%22{{cwd}}%22'],
  ])('is found: %s', (_, text, expected) => {
    expect(normalizeText(text, paths)).toBe(expected)
  })

  test.each(['a/tmp/x/f', 'x-C/tmp/x', 'foo/-C/tmp/x', 'Wa/tmp/x', 'http://tmp/x', '--- aa/tmp/x', 'a%20/tmp/x'])(
    'is not in %j, which stays',
    (text) => expect(normalizeText(text, paths)).toBe(text),
  )

  test.each([
    ['a tilde', '/tmp/a~1/x', ['/tmp/a%7E1/x', '/tmp/a%7e1/x', 'file:///tmp/a~1/x']],
    ['dots, dashes and underscores', '/tmp/a.b-c_d', ['/tmp/a%2Eb%2Dc%5Fd']],
    ['spaces', '/tmp/my dir/x', ['/tmp/my%20dir/x', '/tmp/my%2520dir/x', '/tmp/my\\ dir/x', '/tmp/my\\\\ dir/x']],
    ['signs', '/tmp/(a)&$b/x', ['/tmp/\\(a\\)\\&\\$b/x', '/tmp/%28a%29%26%24b/x', '/tmp/(a)&%24b/x']],
    [
      'a quote',
      "/tmp/it's/x",
      ["/tmp/it'\\''s/x", "/tmp/it'\\\\''s/x", `/tmp/it'"'"'s/x`, "/tmp/it\\'s/x", '/tmp/it%27s/x'],
    ],
    ['a hash, a question mark and a percent sign', '/tmp/#a?b%c', ['/tmp/%23a%3Fb%25c', '/tmp/\\#a\\?b%c']],
    [
      'a letter with an accent',
      '/tmp/caf\u00e9/x',
      ['/tmp/cafe\u0301/x', '/tmp/caf%C3%A9/x', '/tmp/cafe%CC%81/x', '/tmp/caf\\u00e9/x', '/tmp/cafe\\u0301/x'],
    ],
    ['a letter and its accent', '/tmp/cafe\u0301/x', ['/tmp/caf\u00e9/x', '/tmp/cafe\u0301/x']],
    [
      'letters beyond the first plane',
      '/tmp/\u{1f600}\u6f22/x',
      ['/tmp/%F0%9F%98%80%E6%BC%A2/x', '/tmp/\\ud83d\\ude00\\u6f22/x'],
    ],
  ])('is found however %s in it are spelled', (_, path, spellings) => {
    for (const spelling of [path, ...spellings]) {
      const text = normalizeText(`in ${spelling} and ${spelling}/f`, { cwd: [path] })
      expect([spelling, String(text).replaceAll('file://', '')]).toEqual([spelling, 'in {{cwd}} and {{cwd}}/f'])
    }
  })

  test('is found as pathToFileURL spells it, whatever characters it has', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
      .filter((name) => /^[^/\0\n\r\t.]+$/.test(name))
    fc.assert(
      fc.property(name, (name) => {
        fc.pre(name === name.normalize('NFC') && !/\p{Cs}/u.test(name))
        const path = `/tmp/acp-1/${name}/x`
        const url = pathToFileURL(path).href
        expect(normalizeText(`<${url}>`, { cwd: [path] })).toBe('<file://{{cwd}}>')
        const encoded = encodeURIComponent(path)
        expect(normalizeText(`<${encoded}>`, { cwd: [path] })).toBe('<{{cwd}}>')
        expect(normalizeText(`<${encodeURI(path)}>`, { cwd: [path] })).toBe('<{{cwd}}>')
        expect(normalizeText(`<${path}>`, { cwd: [path] })).toBe('<{{cwd}}>')
        expect(normalizeText(JSON.stringify({ path }), { cwd: [path] })).toBe('{"path":"{{cwd}}"}')
      }),
      { numRuns: 30 },
    )
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
    ['all small', 'c:\\users\\runner\\x\\a.txt', '{{cwd}}\\a.txt'],
    ['all small, as a file URL', 'file:///c:/users/runner/x', 'file://{{cwd}}'],
    ['as Git Bash spells it', '/c/Users/runner/x/a', '{{cwd}}/a'],
    ['as Git Bash spells it, after an option letter', 'git -C/c/Users/runner/x', 'git -C{{cwd}}'],
    ['as WSL spells it', '/mnt/c/Users/runner/x/a', '{{cwd}}/a'],
    ['as Cygwin spells it', '/cygdrive/c/Users/RUNNER~1/x', '{{cwd}}'],
    ['after an option letter', 'git -CC:\\Users\\runner\\x', 'git -C{{cwd}}'],
    ['percent-encoded', 'C%3A%5CUsers%5Crunner%5Cx', '{{cwd}}'],
    ['at the end of a sentence', 'It is C:\\Users\\runner\\x.', 'It is {{cwd}}.'],
  ])('is found: %s', (_, text, expected) => {
    expect(normalizeText(text, windows)).toBe(expected)
  })

  test.each([
    'C:\\Users\\runner\\xy',
    'C:\\Users\\runner\\x.bak',
    'D:\\Users\\runner\\x',
    'ABC:\\Users\\runner\\x',
    '/d/Users/runner/x',
    '/x/c/Users/runner/x',
  ])('is not %j', (text) => {
    expect(normalizeText(text, windows)).toBe(text)
  })

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

  test('one that is the beginning of another is not found in it', () => {
    const cwd = { cwd: ['/tmp/x'], other: ['/tmp/x-2'], below: ['/tmp/x-2/x'] }
    expect(normalizeText('/tmp/x-2/x/f /tmp/x-2 /tmp/x-3 /tmp/x', cwd)).toBe('{{below}}/f {{other}} /tmp/x-3 {{cwd}}')
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

test.each([
  ['letters', 'a'],
  ['slashes', '/'],
  ['backslashes', '\\'],
  ['escaped slashes', '\\/'],
  ['percent signs', '%25'],
  ['dots', '.'],
  ['diff sides', ' a/'],
  ['begins of a path', '/tmp/'],
  ['begins of a Windows path', 'C:\\'],
  ['braces', '{{'],
  ['option letters', ' -C'],
  ['ANSI digits', '1;'],
  ['loopback', '127.'],
  ['names in a temp directory', '/tmp/a-'],
  ['tokens in a name', '{{cwd}}.'],
])('the time to read a text grows with its length, and not with its square: %s', (_, part) => {
  const known = { cwd: ['/tmp/acp-1/my dir', 'C:\\Users\\r\\x'], tmp: ['/tmp/acp-1/tmp'], root: ['/tmp/acp-1'] }
  const volatile = { paths: known, tempRoots: ['/tmp'] }
  expectLinear((length) => {
    const text = `acp-1 localhost ${part.repeat(length / part.length)} /tmp/acp-1/my dir`
    expect(normalize([text], volatile)[0]).toMatch(/\{\{cwd\}\}$/)
  }, 8_000)
})
