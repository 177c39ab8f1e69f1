/** The questions of bench/data/knowledge-SET.txt. */
import { readFile } from 'node:fs/promises'

export type Language = 'en' | 'ja'

export interface Question {
  readonly text: string
  readonly language: Language
  /** `none`: no document tells it. `held`: kept apart. */
  readonly about: 'debian' | 'docs' | 'held' | 'none'
  /** The end of the file's path. Empty: any file of the source. */
  readonly file: string
  /** How the heading begins. */
  readonly heading: string
  /** Words of the answer: one of them is enough. */
  readonly words: readonly string[]
}

/** `questions`: those by which the threshold was chosen. The others are kept apart. */
export const SETS = ['questions', 'held', 'third'] as const
export type QuestionSet = (typeof SETS)[number]

export async function readQuestions(name: QuestionSet): Promise<readonly Question[]> {
  const lines = (await readFile(new URL(`../../data/knowledge-${name}.txt`, import.meta.url), 'utf8')).split('\n')
  let set = ''
  return lines.flatMap(line => {
    if (line.startsWith('## ')) set = line.slice(3).trim()
    if (line.trim() === '' || line.startsWith('#')) return []
    const [section = '', words = '', ...texts] = line.split(' | ').map(part => part.trim())
    return texts.map((text, at) => question(set, section, words, text, at))
  })
}

function question(set: string, section: string, words: string, text: string, at: number): Question {
  const about = set === 'debian' || set === 'held' || set === 'none' ? set : 'docs'
  const isJapanese = set === 'docs-ja' || (set === 'none' ? /[ぁ-ん]/.test(text) : about !== 'docs' && at === 1)
  const [file = '', heading = ''] = placeIn(about, section)
  const alternatives = about === 'none' ? [] : words.split(' ~ ')
  return { text, language: isJapanese ? 'ja' : 'en', about, file, heading, words: alternatives }
}

function placeIn(about: Question['about'], section: string): readonly string[] {
  if (about === 'none') return []
  if (about === 'debian') return ['', `${section}. `]
  const [file = '', heading = ''] = section.split(' › ')
  return about === 'held' ? [`/${file}.html`, `${heading}. `] : [file, heading]
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
