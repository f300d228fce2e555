import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ProjectCopy } from '@acp-snapshot/testing/project-copy'

const CI = readFileSync(join(__dirname, '..', 'docs', 'ci.md'), 'utf8')
const KEPT = ['handshake', 'text-turn']

const project = new ProjectCopy()
afterAll(() => project.remove())

const commands = [...CI.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => block.trim().split('\n'))

test('the workflow of docs/ci.md runs commands of the page', () => {
  const steps = [...CI.matchAll(/^ +- run: (npx .*)$/gm)].map(([, command = '']) => command)
  expect(steps.length).toBeGreaterThan(0)
  for (const step of steps) expect(commands).toContain(step)
})

test('the commands of docs/ci.md pass, and change no fixture', async () => {
  for (const name of readdirSync(project.fixtures))
    if (!KEPT.includes(name)) rmSync(join(project.fixtures, name), { recursive: true })
  const before = project.readFixtures()
  for (const command of commands) {
    const [, program, ...args] = command.split(' ')
    const { status, output } = program === 'jest' ? await project.jest(args) : check(args)
    if (status !== 0) throw new Error(`${command}:\n${output}`)
  }
  expect(commands.length).toBeGreaterThan(3)
  expect(project.readFixtures()).toEqual(before)
})

function check(args: readonly string[]) {
  const bin = join(project.dir, 'environment/bin/acp-snapshot.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd: project.dir, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}
