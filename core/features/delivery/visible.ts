/** The part of an unfinished text that people can be shown. */
import { openFence, splitText } from '../../base/text/split.ts'

/** Room for the line that closes a code fence. */
const FENCE = 8

/** The first message depends on so many times its length: a code fence may end there. */
const AHEAD = 3

/** A longer unfinished piece is shown as it is. */
const PIECE = 300

/**
 * The part of an unfinished text that people can be shown, at most `limit` UTF-16 code units: without the beginning of a word, a mention, a
 * link, an emoji name or a code fence at its end, with a code fence closed, and without what belongs to a second message.
 */
export function visible(text: string, limit: number): string {
  const end = text.slice(-PIECE)
  const whole = text.slice(0, text.length - end.length) + end.replace(UNFINISHED, '').replace(WORD, '')
  const [first = ''] = splitText(whole.slice(0, AHEAD * limit), limit - FENCE)
  const closed = `${first}\n${openFence(first) ?? ''}`.trimEnd()
  return closed.length > limit ? first : closed
}

/** A word of a script with spaces, which may be longer yet. */
const WORD = /(?<=\s)[\p{scx=Latin}\p{N}'’-]{1,40}$/u

/** `<@12`, `[the docs](https://ex`, `:smi`, one or two backticks at the start of a line, half of a character. */
const UNFINISHED =
  /(?:<[@#!&:a\w-]{0,100}|<https?:[^<>\s]{0,250}|!?\[[^\][\n]{0,200}(?:\](?:\([^()\s]{0,200})?)?|(?<![\w:/]):[a-z0-9_+-]{0,32}|(?<=^|\n)[`~]{1,2}|[\ud800-\udbff])$/i
