import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { styleText } from 'node:util'
import { decisionLine, parseText, printable, reactionOn, speech } from './lines.ts'
import type { Screen } from './screen.ts'

export interface TerminalOptions {
  readonly input: Readable
  readonly output: Writable
  readonly user: string
  readonly channel: string
  /** The bot's name. */
  readonly name: string
  /** Absent: yes, if the terminal supports colour and NO_COLOR is not set. */
  readonly color?: boolean | undefined
}

const HELP = `alice: hello    says it as alice, and what follows too
/as bob         goes on as bob
/channel dev    goes to another channel
/kiki help      what the bot does at a command; /status is short for /kiki status
/quit           ends`

/** A terminal in which one person can play all participants of the channel. */
export function createTerminal({ input, output, user, channel, name, color }: TerminalOptions): Screen {
  let reader: Interface | undefined
  let speaker = user
  let place = channel
  let typing = 0

  const paint = (format: Parameters<typeof styleText>[0], text: string) =>
    color === false ? text : styleText(format, text, color ? { validateStream: false } : { stream: output })
  const nameOf = (who: string) => paint(who === name ? ['bold', 'cyan'] : hueOf(who), printable(who))

  function prompt(): void {
    const where = place === channel ? '' : paint('dim', ` #${place}`)
    reader?.setPrompt(`${typing > 0 ? paint('dim', `${name} is typing… `) : ''}${nameOf(speaker)}${where}> `)
    reader?.prompt(true)
  }

  /** Writes above the line that is being typed. */
  function show(text: string): void {
    const rows = reader?.getCursorPos().rows ?? 0
    if (reader) {
      moveCursor(output, 0, -rows)
      cursorTo(output, 0)
      clearScreenDown(output)
    }
    // Readline moves up as many rows as its line had before it draws the line again.
    output.write(`${text}\n${'\n'.repeat(rows)}`)
    prompt()
  }

  const showFrom = (where: string, text: string) =>
    show(where === place ? text : `${paint('dim', `#${printable(where)}`)} ${text}`)

  /** Runs a command of the terminal itself. Returns whether the text was one. */
  function command(text: string): boolean {
    const [, verb, argument = ''] = /^\/(\S*)\s*(.*)$/.exec(text) ?? []
    if (verb === 'quit') reader?.close()
    else if (verb === 'as' && argument) speaker = printable(argument)
    else if (verb === 'channel' && argument) place = printable(argument.replace(/^#/, ''))
    else if (['', 'help', 'as', 'channel'].includes(verb ?? 'none')) show(paint('dim', HELP))
    else return false
    return true
  }

  return {
    async *said(signal) {
      reader = createInterface({ input, output, terminal: true, signal })
      reader.once('close', () => {
        reader = undefined
        output.write('\n')
      })
      show(paint('dim', `${name} is listening. /help tells more.`))
      let line = 0
      try {
        for await (const raw of reader) {
          if (signal.aborted) return
          line++
          const text = raw.trim()
          if (text !== '' && !command(text)) {
            const said = parseText(text, speaker)
            speaker = said.author
            yield { line, said: { ...said, channel: place } }
          }
          prompt()
        }
      } finally {
        reader?.close()
      }
    },

    message: async (conversation, _id, { text }) => showFrom(conversation.channel, speech(nameOf(name), text)),

    answer: async ({ channel: where }, text) => showFrom(where, paint('dim', printable(text))),

    unknown: () => void show(paint('dim', HELP)),

    reaction: async (conversation, { emoji, author }) =>
      showFrom(conversation.channel, speech(nameOf(name), reactionOn(emoji, author))),

    typing() {
      typing++
      prompt()
      return () => {
        typing--
        prompt()
      }
    },

    turn: ({ conversation }, trace) => showFrom(conversation.channel, paint('dim', decisionLine(trace))),

    refused: (_line, why) => show(paint('red', printable(why))),
  }
}

const HUES = ['green', 'yellow', 'magenta', 'blue', 'red', 'greenBright', 'yellowBright', 'magentaBright', 'blueBright'] as const

/** The colour of a name. The same name always has the same colour. */
function hueOf(name: string): (typeof HUES)[number] {
  const sum = Array.from(name).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7)
  return HUES[sum % HUES.length] ?? 'green'
}
