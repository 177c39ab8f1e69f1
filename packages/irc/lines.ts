/** Texts as lines of IRC. A line has 512 bytes at most, with the sender in front of it and its end. */
import { splitText } from 'kikimimi'

/** Bytes of a line without its text: `:nick!user@host PRIVMSG target :` and its end, for the longest user and host. */
const FRAME = ':!~@ PRIVMSG  :\r\n'.length + 10 + 63
const LINE = 512

/** Bytes for the text of a line from `nick` to `target`. */
export function roomFor(nick: string, target: string): number {
  return LINE - FRAME - Buffer.byteLength(nick) - Buffer.byteLength(target)
}

/** The lines of a text, none longer than `bytes`: cut at a sentence, else at a word, never in a character. */
export function linesOf(text: string, bytes: number): string[] {
  return text.split(/[\r\n]+/).flatMap(line => {
    // Fences of code are of no use where a line has no markup.
    const plain = line.replace(/^[ \t]{0,8}(?:`{3,}|~{3,})\w{0,20}/, '').replace(CONTROLS, ' ')
    return cut(plain.trimEnd(), bytes)
  })
}

function cut(line: string, bytes: number): string[] {
  const lines: string[] = []
  const room = new Uint8Array(bytes)
  let rest = line
  while (rest !== '') {
    // What fits; `encodeInto` ends before a character that does not.
    const { read } = encoder.encodeInto(rest, room)
    const [first = ''] = read < rest.length ? splitText(rest.slice(0, read + AHEAD), read) : [rest]
    lines.push(first)
    rest = rest.slice(first.length).trimStart()
  }
  return lines
}

/** The text without colours and other codes of format. */
export function withoutFormat(text: string): string {
  return text.replace(FORMAT, '')
}

/** Characters after a line that show where its last sentence ends. */
const AHEAD = 500
const encoder = new TextEncoder()
const CONTROLS = /\p{Cc}/gu
const [COLOUR, HEX] = ['\u0003', '\u0004']
const FORMAT = new RegExp(String.raw`${COLOUR}(?:\d{1,2}(?:,\d{1,2})?)?|${HEX}(?:[\da-fA-F]{6})?|\p{Cc}`, 'gu')
