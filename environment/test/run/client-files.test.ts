import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { readTextFile } from '../../src/run/client-files.ts'

const cwd = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'client-files-')))
const path = join(cwd, 'a.txt')

afterAll(() => fs.rmSync(cwd, { recursive: true }))

function read(params: object): string {
  const response = readTextFile(cwd, { path, ...params })
  return 'result' in response ? (response.result as { content: string }).content : ''
}

test('parts of a file add up to the file', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\n', '\r\n', '\r', '\u2028'), maxLength: 30 })
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 5 }), (text, limit) => {
      fs.writeFileSync(path, text)
      const lines = text.split('\n').length
      const parts = Array.from({ length: Math.ceil(lines / limit) }, (_, i) => read({ line: 1 + i * limit, limit }))
      expect(parts.join('')).toBe(text)
      expect(read({ line: lines })).toBe(text.slice(text.lastIndexOf('\n') + 1))
      expect(() => read({ line: lines + 1 })).toThrow('is after the end of the file')
    }),
  )
})
