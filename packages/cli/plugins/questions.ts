/** Questions to the person at the terminal. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { KikimimiError } from 'kikimimi'

export interface Questions extends Disposable {
  /** The answer, without spaces at its ends. Nothing: the input has ended. `hidden`: what is typed is not shown. */
  ask(question: string, hidden?: 'hidden'): Promise<string | undefined>
}

export function openQuestions({ stdin, stdout } = process): Questions {
  let isHidden = false
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (isHidden) done()
      else stdout.write(chunk, () => done())
    },
  })
  // Opened for the first question, so that a command without one leaves standard input alone.
  let opened: { close(): void; readonly lines: AsyncIterator<string> } | undefined
  const open = () => {
    const reader = createInterface({ input: stdin, output, terminal: stdin.isTTY })
    reader.once('SIGINT', () => reader.close())
    return { close: () => reader.close(), lines: reader[Symbol.asyncIterator]() }
  }
  return {
    async ask(question, hidden) {
      opened ??= open()
      stdout.write(question)
      isHidden = hidden !== undefined
      const { value, done } = await opened.lines.next()
      isHidden = false
      if (hidden || done || !stdin.isTTY) stdout.write('\n')
      return done ? undefined : value.trim()
    },
    [Symbol.dispose]: () => opened?.close(),
  }
}

/** @throws CHANGE_REFUSED unless the person agrees */
export async function agree(questions: Questions): Promise<void> {
  const answer = await questions.ask('Do this? [y/N] ')
  if (/^y(?:es)?$/i.test(answer ?? '')) return
  const hint = answer === undefined ? ' The question had no answer; with --yes there is no question.' : ''
  throw new KikimimiError('CHANGE_REFUSED', `Nothing is changed.${hint}`)
}
