/** Reads the scenes of `bench/data/offline-scenes.txt`, and marks answers. */
import { readFile } from 'node:fs/promises'

export interface Scene {
  readonly number: number
  /** Whether the reader was written without a look at this scene. */
  readonly held: boolean
  readonly language: string
  /** What the question asks for: `place`, `time`, … */
  readonly kind: string
  readonly lines: readonly Line[]
  readonly question: Line
  /** A right answer has all of these, each in one of its forms. Empty: the talk does not hold the answer. */
  readonly right: readonly (readonly string[])[]
}

export interface Line {
  readonly name: string
  readonly text: string
}

export type Mark = 'right' | 'wrong' | 'unknown'

/** Of the first 100 scenes, those whose number ends in one of these were not looked at while the reader was written, nor the last 30. */
const [HELD, FIRST, KNOWN] = [[2, 4, 7, 9], 100, 260] as const

const isHeld = (number: number) => number > KNOWN || (number <= FIRST && HELD.some(end => number % 10 === end))

/** A head `1 en place`, lines `name: text`, the question after `? `, the answer after `= `: `Nagano & May 12|12 May`; `-` or `cannot`. */
export async function readScenes(): Promise<Scene[]> {
  const text = await readFile(new URL('../../data/offline-scenes.txt', import.meta.url), 'utf8')
  return text
    .trim()
    .split(/\n\n+/)
    .map(block => {
      const [head = '', ...rest] = block.split('\n')
      const [number = '', language = '', kind = ''] = head.split(' ')
      const answer = rest.find(line => line.startsWith('= '))?.slice(2) ?? ''
      const question = rest.find(line => line.startsWith('? '))?.slice(2) ?? ''
      return {
        number: Number(number),
        held: isHeld(Number(number)),
        language,
        kind,
        lines: rest.filter(line => !/^[?=] /.test(line)).map(lineOf),
        question: lineOf(question),
        right: /^(?:-|cannot)$/.test(answer) ? [] : answer.split(' & ').map(one => one.split('|')),
      }
    })
}

function lineOf(line: string): Line {
  const [name = '', ...text] = line.split(': ')
  return { name, text: text.join(': ') }
}

/** Phrases by which the model says that it has no answer. */
const UNKNOWN =
  /^I don't know: I find no answer|^I cannot do that without a model|^わかりません。「.*見つかりませんでした|^それは、モデルなしではできません/

/** When the talk does not hold the answer, or a model is needed, the answer must say so. */
export function mark({ right }: Scene, answer: string): Mark {
  const unknown = UNKNOWN.test(answer)
  if (right.length === 0) return unknown ? 'right' : 'wrong'
  if (unknown) return 'unknown'
  return right.every(forms => forms.some(form => answer.toLowerCase().includes(form.toLowerCase()))) ? 'right' : 'wrong'
}
