/** The questions of `npm create kikimimi`: three at most, each with a default. */
import { createInterface } from 'node:readline/promises'
import { Refusal } from './refusal.ts'

export interface Question {
  readonly text: string
  /** The answer to an empty line. */
  readonly usual: string
  /** The valid answers. Absent: any. */
  readonly choices?: readonly string[]
}

export interface Terminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/**
 * The answers, in the order of the questions. An answer that is not valid is asked for again.
 *
 * @throws Refusal when the input ends before the last answer
 */
export async function ask(questions: readonly Question[], { input, output }: Terminal): Promise<readonly string[]> {
  if (questions.length === 0) return []
  const lines = createInterface({ input, output })
  const ended = new AbortController()
  lines.once('close', () => ended.abort())
  try {
    const answers: string[] = []
    for (const question of questions) answers.push(await answerTo(question, prompt => lines.question(prompt, ended)))
    return answers
  } catch (error) {
    throw ended.signal.aborted ? new Refusal('\nNothing was created.') : error
  } finally {
    lines.close()
  }
}

async function answerTo({ text, usual, choices }: Question, prompt: (text: string) => Promise<string>): Promise<string> {
  for (;;) {
    const answer = (await prompt(`${text}${choices ? `: ${choices.join(', ')}` : ''} (${usual}): `)).trim() || usual
    if (!choices || choices.includes(answer.toLowerCase())) return choices ? answer.toLowerCase() : answer
  }
}
