/** Sentences of a grammar: lists of words, and families of orders and of statements that take their words from them. */
import { readFile } from 'node:fs/promises'

export interface Family {
  readonly name: string
  /** Orders to a bot; else statements. */
  readonly isOrder: boolean
  readonly templates: readonly string[]
}

export interface Grammar {
  readonly families: readonly Family[]
  /** A random sentence of a family. */
  sentence(family: Family, random: () => number): string
}

export async function readGrammar(language: string): Promise<Grammar> {
  const text = await readFile(new URL(`./${language}.txt`, import.meta.url), 'utf8')
  const lists = new Map<string, readonly string[]>()
  const families: { name: string; isOrder: boolean; templates: string[] }[] = []
  for (const line of text.split('\n')) {
    const [, list, values = ''] = /^\{(\w+)\} (.*\|.*)$/.exec(line) ?? []
    const [, sign, name = ''] = /^([-+]) (.*)$/.exec(line) ?? []
    if (list !== undefined) lists.set(list, values.split('|'))
    else if (sign !== undefined) families.push({ name, isOrder: sign === '-', templates: [] })
    else if (line.trim() !== '' && !line.startsWith('#')) families.at(-1)?.templates.push(line)
  }

  function filled(template: string, random: () => number): string {
    return template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const values = lists.get(name)
      if (!values) throw new Error(`${language}.txt has no list {${name}}.`)
      return filled(values[Math.floor(random() * values.length)] ?? '', random)
    })
  }

  return {
    families,
    sentence: ({ templates }, random) => filled(templates[Math.floor(random() * templates.length)] ?? '', random).trim(),
  }
}
