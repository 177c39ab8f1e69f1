/** The questions of bench/data/knowledge-questions.txt. */
import { readFile } from 'node:fs/promises'

export type Language = 'en' | 'ja'

export interface Question {
  readonly text: string
  readonly language: Language
  /** `debian`, `docs`, or `none`: no document tells it. */
  readonly about: 'debian' | 'docs' | 'none'
  /** The end of the file's path. Empty: any file of the source. */
  readonly file: string
  /** How the heading begins. */
  readonly heading: string
  /** Words of the answer: one of them is enough. */
  readonly words: readonly string[]
}

export async function readQuestions(): Promise<readonly Question[]> {
  const lines = (await readFile(new URL('../../data/knowledge-questions.txt', import.meta.url), 'utf8')).split('\n')
  let set = ''
  return lines.flatMap(line => {
    if (line.startsWith('## ')) set = line.slice(3).trim()
    if (line.trim() === '' || line.startsWith('#')) return []
    const [section = '', words = '', ...texts] = line.split(' | ').map(part => part.trim())
    return texts.map((text, at) => question(set, section, words, text, at))
  })
}

function question(set: string, section: string, words: string, text: string, at: number): Question {
  const about = set === 'debian' ? 'debian' : set === 'none' ? 'none' : 'docs'
  const isJapanese = set === 'docs-ja' || (set === 'debian' ? at === 1 : set === 'none' && /[ぁ-ん]/.test(text))
  const [file = '', heading = ''] = about === 'docs' ? section.split(' › ') : ['', about === 'debian' ? `${section}. ` : '']
  const alternatives = about === 'none' ? [] : words.split(' ~ ')
  return { text, language: isJapanese ? 'ja' : 'en', about, file, heading, words: alternatives }
}

/** Whether a passage is of the section that answers, and has words of the answer. */
export function answers(
  { file, heading, words }: Question,
  passage: { readonly path: string; readonly headings: readonly string[]; readonly text: string },
): boolean {
  return passage.path.endsWith(file) && passage.headings.some(one => one.startsWith(heading)) && holds(words, passage.text)
}

/** Whether the text has words of the answer, in any white space. */
export function holds(words: readonly string[], text: string): boolean {
  const plain = text.replace(/\s+/g, ' ')
  return words.some(word => plain.includes(word))
}
