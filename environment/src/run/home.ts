import * as fs from 'node:fs'
import { join } from 'node:path'
import { copySeed } from '../child/index.ts'
import { fillPlaces, type Places, placesIn } from '../places.ts'
import { decode } from '../scenario/tree.ts'

/** A text file in the run's HOME that has placeholders. */
export interface Template {
  path: string
  text: string
}

/** Longer files have no placeholders: they are copied as they are. */
const MAX_BYTES = 1024 ** 2

/**
 * Copies each seed into the run's HOME, the later ones over the earlier ones.
 *
 * @returns the text files with placeholders, which {@link fillTemplates} then fills
 */
export function seedHome(home: string, seeds: readonly string[]): Template[] {
  for (const seed of seeds) copySeed(seed, home)
  return seeds.length === 0 ? [] : templatesIn(home)
}

/** Replaces the placeholders in the files. */
export function fillTemplates(templates: readonly Template[], places: Places): void {
  for (const { path, text } of templates) {
    const { mode } = fs.statSync(path)
    fs.chmodSync(path, 0o600)
    fs.writeFileSync(path, fillPlaces(text, places))
    fs.chmodSync(path, mode)
  }
}

function templatesIn(dir: string): Template[] {
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) return templatesIn(path)
    if (!entry.isFile() || fs.statSync(path).size > MAX_BYTES) return []
    const text = decode(fs.readFileSync(path))
    return typeof text === 'string' && placesIn(text).size > 0 ? [{ path, text }] : []
  })
}
