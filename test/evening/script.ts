/** The script of the evening, constant for a seed: authors, texts and places. */
import { seededRandom } from '../../core/base/random.ts'

export interface Place {
  /** A code word in every line of this place, and in no other line. */
  readonly codeword: string
  readonly platform: 'discord' | 'slack'
  readonly channel: 'general' | 'dev'
  /** In a thread of the channel. */
  readonly thread?: true
  /** A direct conversation of this person with the bot, instead of the channel. */
  readonly direct?: string
  /** The line that opens it. */
  readonly from?: number
}

export interface Line {
  /** From 1. */
  readonly number: number
  /** `amber-17`: code word and number, which is unique. */
  readonly mark: string
  readonly place: Place
  readonly author: string
  /** How the line addresses the bot; `chat` does not. */
  readonly kind: 'chat' | 'mention' | 'name' | 'reply' | 'direct'
  readonly text: string
  /** The line whose answer it replies to, directly before it. */
  readonly after?: Line
}

const PEOPLE = ['alice', 'bob', 'carol']
/** Lines for everybody, which no rule answers. */
const CHAT = ['the cat is asleep again', 'has anybody seen my keys?', 'I will be late on Friday', 'what a day', 'lunch at one?']

/**
 * Replies to the bot in a thread: in a thread of Slack they would be replies to its first author. The names are equal on
 * both
 * platforms on purpose.
 */
const CHANNELS: readonly Place[] = [
  { codeword: 'amber', platform: 'discord', channel: 'general' },
  { codeword: 'birch', platform: 'discord', channel: 'dev' },
  { codeword: 'ember', platform: 'slack', channel: 'general' },
  { codeword: 'fjord', platform: 'slack', channel: 'dev' },
]
const PLACES: readonly Place[] = [
  ...CHANNELS,
  { codeword: 'delta', platform: 'discord', channel: 'general', direct: 'alice' },
  { codeword: 'grove', platform: 'slack', channel: 'general', thread: true },
  { codeword: 'heron', platform: 'slack', channel: 'general', direct: 'bob' },
  // While the session of the bot is lost.
  { codeword: 'coral', platform: 'discord', channel: 'general', thread: true, from: 110 },
]

/** @param replies numbers of lines that reply to the bot */
export function writeScript(length: number, replies: ReadonlySet<number>, seed: number): readonly Line[] {
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]): T => {
    const [picked] = list.slice(Math.floor(random() * list.length))
    if (picked === undefined) throw new Error('There is nothing to pick from.')
    return picked
  }
  const lines: Line[] = []

  function kindOf(place: Place, isQuestion: boolean): Line['kind'] {
    const chance = random()
    if (place.direct !== undefined) return 'direct'
    if (isQuestion || chance < 0.2) return 'mention'
    return chance < 0.3 ? 'name' : 'chat'
  }

  function write(number: number): Line {
    const after = replies.has(number) ? lines.at(-1) : undefined
    const isRepliedTo = replies.has(number + 1)
    const opened = PLACES.find(({ from }) => from === number)
    const open = isRepliedTo ? CHANNELS : PLACES.filter(({ from = 0 }) => from <= number)
    const place = after?.place ?? opened ?? pick(open)
    const kind = after ? 'reply' : kindOf(place, isRepliedTo || opened !== undefined)
    const mark = `${place.codeword}-${number}`
    // So short that it can be typed at the pace of the test: the bot would take longer ones for those of another bot.
    const text = kind === 'chat' ? `@all ${pick(CHAT)} (${mark})` : `${kind === 'name' ? 'kiki, ' : ''}ok ${mark}?`
    return { number, mark, place, author: place.direct ?? pick(PEOPLE), kind, text, ...(after && { after }) }
  }

  for (let number = 1; number <= length; number++) lines.push(write(number))
  return lines
}

/** The answer of the model: one sentence per question in the text. */
export function answer(text: string): string {
  return Array.from(text.matchAll(/ok (\w+-\d+)\?/g), ([, mark]) => `As to ${mark}, yes.`).join(' ')
}

/** Marks of the lines that a text answers. */
export function answered(text: string): string[] {
  return Array.from(text.matchAll(/As to (\w+-\d+), yes/g), ([, mark = '']) => mark)
}

/** Places whose code words are in a text. */
export function codewords(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(/\b([a-z]+)-\d+\b/g), ([, codeword = '']) => codeword).filter(isCodeword))
}

function isCodeword(word: string): boolean {
  return PLACES.some(({ codeword }) => codeword === word)
}
