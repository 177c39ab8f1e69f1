import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { parseJson, parseText, reactionOn, speech } from './lines.ts'
import type { Screen } from './screen.ts'

export interface PipeOptions {
  readonly input: Readable
  readonly output: Writable
  readonly errors: Writable
  /** `auto`: JSON if the first line is JSON. */
  readonly format: 'auto' | 'text' | 'json'
  /** Author of a line without a name. */
  readonly user: string
  /** The bot's name. */
  readonly name: string
}

/** Reads and writes two streams, for programs and for `echo hello | npm start`. */
export function createPipe({ input, output, errors, format, user, name }: PipeOptions): Screen {
  let json = format === 'json'
  let decided = format !== 'auto'

  // Waits until the line is written, so that a slow reader slows the bot down and does not fill its memory.
  const print = (text: string, value: object) =>
    new Promise<void>(resolve => output.write(`${json ? toJson(value) : text}\n`, () => resolve()))

  const refused: Screen['refused'] = (line, why) => void errors.write(`[terminal] line ${line} was left out: ${why}\n`)

  return {
    async *said(signal) {
      const reader = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY, signal })
      let line = 0
      try {
        for await (const raw of reader) {
          if (signal.aborted) return
          line++
          const text = line === 1 ? raw.replace(/^\ufeff/, '') : raw
          if (text.trim() === '') continue
          if (!decided) json = text.trimStart().startsWith('{')
          decided = true
          try {
            yield { line, said: json ? parseJson(text) : parseText(text, user) }
          } catch (error) {
            refused(line, error instanceof Error ? error.message : String(error))
          }
        }
      } finally {
        reader.close()
      }
    },

    message: ({ channel, thread }, id, { text, replyTo }) =>
      print(speech(name, text), { type: 'message', id, channel, thread, text, replyTo }),

    reaction: ({ channel, thread }, { message, emoji, author }) =>
      print(speech(name, reactionOn(emoji, author)), { type: 'reaction', channel, thread, message, emoji }),

    answer: ({ channel, thread }, text) => print(speech(name, text), { type: 'answer', channel, thread, text }),

    refused,
  }
}

/** Also removes control characters that JSON allows, because the output may be a terminal. */
function toJson(value: object): string {
  return JSON.stringify(value).replace(/[\u007f-\u009f]/g, character => `\\u00${character.charCodeAt(0).toString(16)}`)
}
