/** Sentences of a grammar: lists of words, and families of sentences that take their words from them. */
import { readFile } from 'node:fs/promises'

export interface Family {
  readonly name: string
  /** What the sentences of the family are. */
  readonly label: string
  readonly templates: readonly string[]
}

export interface Grammar {
  readonly families: readonly Family[]
  /** A random sentence of a family. */
  sentence(family: Family, random: () => number): string
}

/** A file has lists, `{list} one|other`, and families: `@label name`, then one template a line. `[one|other]` is a list without a name. */
export async function readGrammar(file: URL): Promise<Grammar> {
  const text = await readFile(file, 'utf8')
  const lists = new Map<string, readonly string[]>()
  const families: { name: string; label: string; templates: string[] }[] = []
  for (const line of text.split('\n')) {
    const [, list, values = ''] = /^\{(\w+)\} (.*\|.*)$/.exec(line) ?? []
    const [, label, name = ''] = /^@(\w+) (.*)$/.exec(line) ?? []
    // A later line with a known list is a template that begins with it.
    if (list !== undefined && !lists.has(list)) lists.set(list, values.split('|'))
    else if (label !== undefined) families.push({ name, label, templates: [] })
    else if (line.trim() !== '' && !line.startsWith('#')) families.at(-1)?.templates.push(line)
  }

  function filled(template: string, random: () => number): string {
    const one = (values: readonly string[]) => filled(values[Math.floor(random() * values.length)] ?? '', random)
    return template
      .replace(/\[([^[\]]*\|[^[\]]*)\]/g, (_, values: string) => one(values.split('|')))
      .replace(/\{(\w+)\}/g, (_, name: string) => {
        const values = lists.get(name)
        if (!values) throw new Error(`${file.pathname} has no list {${name}}.`)
        return one(values)
      })
  }

  return {
    families,
    sentence: ({ templates }, random) => filled(templates[Math.floor(random() * templates.length)] ?? '', random).trim(),
  }
}
