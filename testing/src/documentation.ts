import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(__dirname, '..', '..')

/** The pages for users and contributors, and those that npm shows for what a user installs. */
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/*.md',
  'environment/README.md',
  'serializers/README.md',
  '__fixtures__/README.md',
]

/** A fenced block of a Markdown page. */
export interface CodeBlock {
  page: string
  /** The line of its first fence. */
  line: number
  /** The word after the fence; empty if there is none. */
  language: string
  code: string
}

/** A command line of a page, without its comment. */
export interface PageCommand {
  page: string
  line: number
  command: string
}

/** The pages of which every block and every command is tested, by their paths in the repository. */
export function documentationPages(): string[] {
  const args = ['ls-files', '-co', '--exclude-standard', ...PAGES.map((pattern) => `:(glob)${pattern}`)]
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)
}

/** The fenced blocks of a page, all or those of one language. @param page its path in the repository */
export function codeBlocks(page: string, language?: string): CodeBlock[] {
  return [...textOf(page).matchAll(FENCED)]
    .map(({ index, 1: word = '', 2: code = '' }) => ({ page, line: lineAt(page, index), language: word, code }))
    .filter((block) => language === undefined || block.language === language)
}

/** The block of a language on a page that has one. @throws Error for none, or several */
export function onlyBlock(page: string, language: string): CodeBlock {
  const [block, ...more] = codeBlocks(page, language)
  if (block === undefined || more.length > 0) throw new Error(`${page}: expected one block of ${language}`)
  return block
}

/** The lines of a block. */
export function linesOf({ code }: CodeBlock): string[] {
  return code.trimEnd().split('\n')
}

/** The commands of a page: each line of its `sh` blocks, and its code spans that begin with a program. */
export function commandsOf(page: string): PageCommand[] {
  const inBlocks = codeBlocks(page, 'sh').flatMap((block) =>
    linesOf(block).map((text, i) => ({ page, line: block.line + 1 + i, command: withoutComment(text) })),
  )
  const prose = textOf(page).replace(FENCED, (block) => block.replace(/[^\n]/g, ' '))
  const inProse = [...prose.matchAll(COMMAND_SPAN)].map(({ index, 1: command = '' }) => ({
    page,
    line: lineAt(page, index),
    command: command.replaceAll(/\s+/g, ' '),
  }))
  return [...inBlocks, ...inProse].filter(({ command }) => command !== '').sort((a, b) => a.line - b.line)
}

const FENCED = /^```(\S*)\n(.*?)^```$/gms

/** `npx jest -u`, `RECORD=1 npx jest <pattern>`, in one code span, which may go on in the next line. */
const COMMAND_SPAN = /`((?:[A-Z_]+=\S+ )*(?:npx|npm|node)\s[^`]+)`/g

function withoutComment(line: string): string {
  return line.replace(/(?:^|\s+)#.*$/, '').trim()
}

function lineAt(page: string, index: number): number {
  return textOf(page).slice(0, index).split('\n').length
}

function textOf(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
}
