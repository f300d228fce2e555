import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseReplayReport } from '@acp-snapshot/session'
import { type CodeBlock, codeBlocks, documentationPages } from '@acp-snapshot/testing/documentation'
import { parseOptions } from 'jest-environment-acp/run'
import { guardFixtures } from 'jest-environment-acp/scenario'
import * as ts from 'typescript'

const ROOT = join(__dirname, '..')

/** A kind of block: how to tell it, and what tests it. */
interface Kind {
  name: string
  is: (block: CodeBlock) => boolean
  /** Tests the block here, */
  check?: (block: CodeBlock) => void
  /** or names the test that takes the block from the page, */
  takenBy?: string
  /** or says why there is nothing to test. */
  reason?: string
}

const KINDS: readonly Kind[] = [
  { name: 'commands', is: ({ language }) => language === 'sh', takenBy: 'e2e/docs.test.ts' },
  { name: 'a scenario', is: isJson((value) => !Array.isArray(value) && 'steps' in value), check: checkScenario },
  { name: 'an override', is: isJson(Array.isArray), check: checkOverride },
  { name: 'a Jest config', is: isScript(/testEnvironmentOptions/), check: checkConfig },
  { name: 'a normalize option', is: isScript(/^normalize: /), check: checkOption },
  {
    name: 'a log format',
    is: isScript(/^\/\/ my-log\.mjs/),
    takenBy: 'environment/test/logs/log-module.test.ts',
  },
  { name: 'use of the serializer', is: isScript(/jest-serializer-acp/), check: checkSerializer },
  {
    name: 'output of a failure',
    is: ({ page, language }) => page === 'README.md' && language === '',
    takenBy: 'e2e/readme.test.ts',
  },
  { name: 'a workflow', is: ({ language }) => language === 'yaml', takenBy: 'e2e/docs.test.ts' },
  { name: 'a replay report', is: ({ language }) => language === 'jsonl', check: checkReport },
  { name: 'attributes for Git', is: ({ language }) => language === 'gitattributes', check: checkAttributes },
  { name: 'a diagram', is: ({ language }) => language === 'text', reason: 'it is for people' },
]

const blocks = documentationPages().flatMap((page) => codeBlocks(page))
const titled = blocks.map((block) => [`${block.page}:${block.line}`, block] as const)

test('there are blocks of each kind', () => {
  expect(KINDS.filter(({ is }) => !blocks.some(is)).map(({ name }) => name)).toEqual([])
})

test.each(titled)('the block at %s is tested', (_, block) => {
  const kinds = KINDS.filter(({ is }) => is(block))
  expect(kinds.map(({ name }) => name)).toHaveLength(1)
  for (const { check, takenBy, reason } of kinds) {
    check?.(block)
    if (takenBy !== undefined) expect(takes(takenBy, block)).toBe(true)
    expect(check ?? takenBy ?? reason).toBeDefined()
  }
})

/** Whether a test reads the page of a block, or every page. */
function takes(test: string, { page }: CodeBlock): boolean {
  const text = readFileSync(join(ROOT, test), 'utf8')
  return text.includes('documentationPages()') || text.includes(`codeBlocks('${page}', `)
}

function checkScenario({ code }: CodeBlock): void {
  expectNoFaults({ 'input.json': code })
}

function checkOverride({ code }: CodeBlock): void {
  const input = { overridden: true, steps: [{ op: 'initialize' }] }
  expectNoFaults({ 'input.json': `${JSON.stringify(input)}\n`, 'replay.override.json': code })
}

/** The fixture guard, before a first run: what the run writes may be missing. */
function expectNoFaults(files: Record<string, string>): void {
  const scenario = { name: 'from-the-page', files: new Map(Object.entries(files)) }
  const tree = { root: '__fixtures__', scenarios: [scenario], loose: [] }
  expect(guardFixtures(tree, { action: 'record', createsMissing: true })).toEqual([])
}

function checkConfig({ code }: CodeBlock): void {
  const config = exportsOf(code)
  const projects = [config, ...valuesOf(config.projects)].filter(isObject)
  const ours = projects.filter(({ preset }) => preset === 'jest-environment-acp')
  expect(ours).toHaveLength(1)
  for (const { testEnvironmentOptions } of ours) {
    expect(parseOptions(isObject(testEnvironmentOptions) ? testEnvironmentOptions.acp : undefined, ROOT)).toBeDefined()
  }
}

/** `docs/normalizing.test.ts` tests what these options do. */
function checkOption({ code }: CodeBlock): void {
  const { acp } = run(`exports.acp = { command: 'my-agent', ${code} }`)
  expect(parseOptions(acp, ROOT)).toBeDefined()
}

function checkSerializer({ code }: CodeBlock): void {
  const frames = ['{"id":1,"result":{"protocolVersion":1}}']
  const exported = run(code, { frames })
  for (const name of valuesOf(exported.snapshotSerializers)) require.resolve(String(name))
}

function checkReport({ code }: CodeBlock): void {
  const types = parseReplayReport(code).map(({ type }) => type)
  expect(types).toEqual(['script', 'opened', 'served', 'failed'])
}

function checkAttributes({ code }: CodeBlock): void {
  const dir = mkdtempSync(join(tmpdir(), 'attributes-'))
  try {
    writeFileSync(join(dir, '.gitattributes'), code)
    const git = (...args: string[]) => execFileSync('git', args, { cwd: dir, encoding: 'utf8' })
    git('init', '--quiet')
    expect(git('check-attr', 'text', '__fixtures__/pong/stdout.golden.jsonl')).toMatch(/: text: unset\n$/)
  } finally {
    rmSync(dir, { recursive: true })
  }
}

function isJson(matches: (value: object) => boolean): Kind['is'] {
  return ({ language, code }) => {
    if (language !== 'json') return false
    const value: unknown = JSON.parse(code)
    return typeof value === 'object' && value !== null && matches(value)
  }
}

function isScript(pattern: RegExp): Kind['is'] {
  return ({ language, code }) => /^[jt]s$/.test(language) && pattern.test(code)
}

/** The default export of a module, in JavaScript or TypeScript. */
function exportsOf(code: string): Record<string, unknown> {
  const { default: exported } = run(code)
  if (!isObject(exported)) throw new Error('the module has no default export')
  return exported
}

/** Runs a module. @param globals more names that it may use @returns its exports */
function run(code: string, globals: Record<string, unknown> = {}): Record<string, unknown> {
  const { outputText } = ts.transpileModule(code, { compilerOptions: { module: ts.ModuleKind.CommonJS } })
  const module: { exports: Record<string, unknown> } = { exports: {} }
  const names = { module, exports: module.exports, require: createRequire(__filename), ...globals }
  new Function(...Object.keys(names), outputText)(...Object.values(names))
  return module.exports
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function valuesOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
