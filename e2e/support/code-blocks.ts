/** The code blocks of a language on a Markdown page, without their fences. */
export function codeBlocks(page: string, language: string): string[] {
  const parts = page.split(/^```/m).filter((_, i) => i % 2 === 1)
  return parts
    .filter((part) => part.startsWith(`${language}\n`))
    .map((part) => part.slice(language.length + 1).trimEnd())
}
