import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { styleText } from 'node:util'
import { nearest } from 'kikimimi'
import { decisionLine, parseText, printable, reactionOn, speech } from './lines.ts'
import type { Screen } from './screen.ts'

/** The commands of the bot. */
export interface CommandNames {
  names(): readonly string[]
  /** Texts for the last word of what follows the `/kiki ` that a person types in a channel. */
  suggest(text: string, channel: string): Promise<readonly string[]>
}

export interface TerminalOptions {
  readonly input: Readable
  readonly output: Writable
  /** A stream to the same terminal, for reports of the process. Absent: there is none. */
  readonly errors?: Writable | undefined
  readonly user: string
  readonly channel: string
  /** The bot's name. */
  readonly name: string
  /** Absent: yes, if the terminal supports colour and NO_COLOR is not set. */
  readonly color?: boolean | undefined
  readonly commands: CommandNames
  /** Called at Ctrl-C. Absent: it ends the input. */
  readonly interrupt?: (() => void) | undefined
}

const HELP = `alice: hello    says it as alice, and what follows too
/as bob         goes on as bob
/channel dev    goes to another channel
/kiki help      what the bot does at a command; /status is short for /kiki status
/quit           ends
Tab             completes the name of a command`

/** Commands of the terminal itself. */
const OWN = ['as', 'channel', 'help', 'quit']

/** A terminal in which one person can play all participants of the channel. */
export function createTerminal(options: TerminalOptions): Screen {
  const { input, output, errors, user, channel, name, color, commands, interrupt } = options
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

  /** Writes lines above the line that is being typed. */
  function above<T>(write: () => T): T {
    const rows = reader?.getCursorPos().rows ?? 0
    if (reader) {
      moveCursor(output, 0, -rows)
      cursorTo(output, 0)
      clearScreenDown(output)
    }
    const result = write()
    // Readline moves up as many rows as its line had before it draws the line again.
    output.write('\n'.repeat(rows))
    prompt()
    return result
  }

  const show = (text: string): void => {
    above(() => output.write(`${text}\n`))
  }

  /** The log and other plugins write to the terminal too. Returns a function that ends this. */
  function showReports(stream: Writable): () => void {
    const { write } = stream
    stream.write = (...args: unknown[]) => above(() => Reflect.apply(write, stream, args))
    return () => {
      stream.write = write
    }
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

  /** What the last word of a line may become, and that word. */
  async function complete(line: string): Promise<[string[], string]> {
    const [, call, text] = /^\/(\S*)(?:\s+(.*))?$/.exec(line) ?? []
    if (call === undefined) return [[], line]
    const own = call.toLowerCase() === name.toLowerCase()
    if (text === undefined)
      return within(
        [...OWN, name, ...commands.names()].map(one => `/${one}`),
        line,
      )
    const last = text.split(/\s/).at(-1) ?? ''
    if (own && last === text) return within(commands.names(), last)
    return within(await commands.suggest(own ? text : `${call} ${text}`, place), last)
  }

  return {
    async *said(signal) {
      const completer = (line: string, done: (error: null, found: [string[], string]) => void) =>
        void complete(line).then(found => done(null, found))
      reader = createInterface({ input, output, terminal: true, signal, completer })
      if (interrupt) reader.on('SIGINT', interrupt)
      reader.once('close', () => {
        reader = undefined
        output.write('\n')
      })
      const endReports = errors && showReports(errors)
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
        endReports?.()
        reader?.close()
      }
    },

    message: async (conversation, _id, { text }) => showFrom(conversation.channel, speech(nameOf(name), text)),

    answer: async ({ channel: where }, text) => showFrom(where, paint('dim', printable(text))),

    unknown(text) {
      const [typed = ''] = text.trim().slice(1).split(/\s/)
      const meant = nearest(typed, [...OWN, ...commands.names()])
      show(paint('dim', meant === undefined ? HELP : `There is no command /${printable(typed)}. Did you mean /${meant}?`))
    },

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

function within(words: readonly string[], begun: string): [string[], string] {
  return [[...new Set(words)].filter(word => word.startsWith(begun)), begun]
}

const HUES = ['green', 'yellow', 'magenta', 'blue', 'red', 'greenBright', 'yellowBright', 'magentaBright', 'blueBright'] as const

/** The colour of a name. The same name always has the same colour. */
function hueOf(name: string): (typeof HUES)[number] {
  const sum = Array.from(name).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7)
  return HUES[sum % HUES.length] ?? 'green'
}
