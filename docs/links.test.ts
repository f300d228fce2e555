import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const ROOT = join(__dirname, '..')
const pages = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !file.includes('.golden.') && existsSync(join(ROOT, file)))

/** The files that may tell a reader where to look: code and its schemas, messages and comments. */
const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|cjs|mjs|yml|json)$/.test(file) && !/(?:^|\/)(?:test|docs|__fixtures__)\//.test(file))
  .filter((file) => existsSync(join(ROOT, file)))

/** A page in a directory of this repository: `docs/environment.md`. */
const NAMED_PAGE = /\b(?:docs|packages\/[\w-]+|examples\/[\w-]+|SECURITY|CONTRIBUTING)(?:\/[\w-]+)?\.md\b(?:#[\w-]+)?/g

test.each(pages)('every relative link of %s leads to a file and a heading', (page) => {
  expect(linksOf(page).flatMap((link) => problemOf(page, link) ?? [])).toEqual([])
})

test.each(pages)('every npm script that %s names is one', (page) => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const named = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\bnpm run ([\w-]+)/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

test('every page that a source file names exists, with its heading', () => {
  const named = sources.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(NAMED_PAGE)].map(([link]) => ({ file, link })),
  )
  expect(named.flatMap(({ file, link }) => (problemOf('README.md', link) ? [`${file}: ${link}`] : []))).toEqual([])
  expect(named).not.toEqual([])
})

test('the README links every page of docs/', () => {
  const linked = linksOf('README.md')
  const docs = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page))
  expect(docs.filter((page) => !linked.includes(page))).toEqual([])
})

function linksOf(page: string): string[] {
  const text = withoutCode(readFileSync(join(ROOT, page), 'utf8'))
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link))
}

function problemOf(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path)
  if (!existsSync(file)) return `${link}: there is no ${relative(ROOT, file)}`
  if (anchor !== undefined && !anchorsOf(file).includes(anchor)) return `${link}: no such heading`
  return undefined
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(file: string): string[] {
  const headings = withoutCode(readFileSync(file, 'utf8')).matchAll(/^#+ (.+)$/gm)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function withoutCode(text: string): string {
  return text.replace(/^```.*?^```/gms, '')
}
