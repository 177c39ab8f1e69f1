/** Passages of documents in a prompt, `[1] manual.md › Oil` with the quoted text below, and the sentence of them that answers a question. */
import { contentWords, sentencesIn } from '@kikimimi/speech-acts/rules'

export interface Passage {
  /** The number by which an answer cites it. */
  readonly number: string
  readonly text: string
}

/** Share of the words of a question, by their weights, that a sentence with its place must have. */
const LEAST = 0.5

/** Characters of a sentence that is quoted. */
const LONGEST = 300

export function passagesIn(prompt: string): readonly Passage[] {
  const passages: { number: string; text: string }[] = []
  let open: { number: string; text: string } | undefined
  for (const line of prompt.split('\n')) {
    const [, number, place = ''] = /^\[(\d{1,2})\] (.{1,300})$/.exec(line) ?? []
    if (number !== undefined) {
      open = { number, text: place }
      continue
    }
    if (!open || !/^>(?: |$)/.test(line)) {
      open = undefined
      continue
    }
    if (!passages.includes(open)) passages.push(open)
    open.text += `\n${line.slice(2)}`
  }
  return passages
}

/** The sentence with the most words of the question, as a quotation with its number. Undefined: none answers it. */
export function passageFor(question: string, passages: readonly Passage[]): string | undefined {
  const asked = contentWords(question)
  const whole = sum(asked.values())
  if (whole === 0) return undefined
  let best: { readonly share: number; readonly told: string } | undefined
  for (const { number, text } of passages) {
    const [place = '', ...sentences] = sentencesIn(text)
    const above = contentWords(place)
    for (const sentence of sentences) {
      const words = contentWords(sentence)
      const share = sum([...asked].map(([word, weight]) => (words.has(word) ? weight : above.has(word) ? weight / 2 : 0))) / whole
      if (share > (best?.share ?? 0) && words.size > 1) best = { share, told: `“${sentence.slice(0, LONGEST)}” [${number}]` }
    }
  }
  return best && best.share >= LEAST ? best.told : undefined
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((sum, one) => sum + one, 0)
}
