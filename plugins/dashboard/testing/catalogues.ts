/** The texts of the page in every language, found like in the server. */
import { readdirSync } from 'node:fs'

export type Words = Readonly<Record<string, string>>

export interface Catalogue {
  readonly words: Words
  readonly reasons: readonly (readonly [english: string | RegExp, told: string])[]
}

const FOLDER = new URL('../page/languages/', import.meta.url)

/** By language. */
export async function catalogues(): Promise<Record<string, Catalogue> & { readonly en: Catalogue }> {
  const files = readdirSync(FOLDER)
  const loaded = files.map(async file => [file.replace('.js', ''), (await import(new URL(file, FOLDER).href)) as Catalogue])
  const all = Object.fromEntries(await Promise.all(loaded)) as Record<string, Catalogue>
  if (!all.en) throw new Error('there is no page/languages/en.js')
  return { ...all, en: all.en }
}

/** Translates a reason like the page. */
export const { translated } = (await import(new URL('../page/base/reasons.js', import.meta.url).href)) as {
  readonly translated: (why: string, reasons: Catalogue['reasons']) => string
}
