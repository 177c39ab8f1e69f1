/** Reads the scenes of `bench/data/offline-scenes.txt`, and marks answers. */
import { readFile } from 'node:fs/promises'

export interface Scene {
  readonly number: number
  /** Whether the reader was written without a look at this scene. */
  readonly held: boolean
  readonly language: string
  readonly lines: readonly Line[]
  /** Asked one after the other, when the lines are said. */
  readonly questions: readonly Question[]
}

export interface Question extends Line {
  /** What it asks for: `place`, `time`, … */
  readonly kind: string
  /** A right answer has all of these, each in one of its forms. Empty: the talk does not hold the answer. */
  readonly right: readonly (readonly string[])[]
}

export interface Line {
  readonly name: string
  readonly text: string
}

export type Mark = 'right' | 'wrong' | 'unknown'

/**
 * A head `1 en place,time`, with `held` at its end if the scene is kept apart; lines `name: text`; questions after `? `, each followed by its
 * answer after `= `: `Nagano & May 12|12 May`, `-` or `cannot`.
 */
export async function readScenes(): Promise<Scene[]> {
  const text = await readFile(new URL('../../data/offline-scenes.txt', import.meta.url), 'utf8')
  return text
    .trim()
    .split(/\n\n+/)
    .map(block => {
      const [head = '', ...rest] = block.split('\n')
      const [number = '', language = '', kinds = '', held] = head.split(' ')
      const answers = rest.filter(line => line.startsWith('= ')).map(line => line.slice(2))
      return {
        number: Number(number),
        held: held === 'held',
        language,
        lines: rest.filter(line => !/^[?=] /.test(line)).map(lineOf),
        questions: rest
          .filter(line => line.startsWith('? '))
          .map((line, at) => ({
            ...lineOf(line.slice(2)),
            kind: kinds.split(',')[at] ?? '',
            right: rightIn(answers[at] ?? ''),
          })),
      }
    })
}

const rightIn = (answer: string) => (/^(?:-|cannot)$/.test(answer) ? [] : answer.split(' & ').map(one => one.split('|')))

function lineOf(line: string): Line {
  const [name = '', ...text] = line.split(': ')
  return { name, text: text.join(': ') }
}

/** Phrases by which the model says that it has no answer. */
const UNKNOWN =
  /^I don't know: I find no answer|^I cannot do that without a model|^わかりません。「.*見つかりませんでした|^それは、モデルなしではできません/

/** When the talk does not hold the answer, or a model is needed, the answer must say so. */
export function mark({ right }: Question, answer: string): Mark {
  const unknown = UNKNOWN.test(answer)
  if (right.length === 0) return unknown ? 'right' : 'wrong'
  if (unknown) return 'unknown'
  return right.every(forms => forms.some(form => answer.toLowerCase().includes(form.toLowerCase()))) ? 'right' : 'wrong'
}
