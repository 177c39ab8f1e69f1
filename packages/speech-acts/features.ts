/** The features of a message: parts of its words, the words next to a name, its shape, and the line before it. */
import { BOT, PERSON } from './names.ts'
import { CJK } from './text.ts'

export const BUCKETS = 2 ** 16

/** A normalized message (see `plain`), and the line before it. */
export interface Line {
  readonly said: string
  readonly before?: LineBefore
}

export interface LineBefore {
  readonly said: string
  /** The author of the line: the bot, the author of the message (`same`), or another person (`other`). */
  readonly by: 'bot' | 'same' | 'other'
}

/** Names of features. `words` explain a decision; `shape` does not. */
export interface Features {
  readonly words: readonly string[]
  readonly shape: readonly string[]
}

const LONGEST_PIECE = 4
const TOKEN = /[\p{L}\p{M}\p{N}']+|[⌂⍟⌁☺☻“]|\p{Extended_Pictographic}|[^\s\p{L}\p{M}\p{N}]/gu

export function tokens(said: string): readonly string[] {
  return said.match(TOKEN) ?? []
}

/** The parts of a message by which the share of unknown text is measured: words, or three characters in scripts without spaces. */
export function vocabulary(said: string): readonly string[] {
  if (!CJK.test(said)) return tokens(said).filter(token => /\p{L}/u.test(token))
  const letters = [...said.replace(/[\s、。!?,.…]/g, '')]
  return letters.length < 3 ? [letters.join('')] : letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''))
}

/** @param known whether a part of a word occurs in a speech act of the training */
export function featuresOf({ said, before }: Line, known: (piece: string) => boolean): Features {
  const words = new Set<string>()
  const isCjk = CJK.test(said)
  const all = tokens(said)
  if (isCjk) pieces(said, words)
  spaced(isCjk ? all.filter(token => !CJK.test(token)) : all, words)
  const shape = shapeOf(said, all, isCjk, known)
  const context = contextOf(said, all, isCjk, before)
  return { words: [...words], shape: [...shape, ...atName(said, isCjk, all), ...context] }
}

/** Words, pairs and triples of words, pairs with one word between them, and parts of words. */
export function spaced(words: readonly string[], found: Set<string>): void {
  for (const [at, word] of words.entries()) {
    const [last, lastButOne] = [words[at - 1] ?? '^', words[at - 2] ?? '^']
    found.add(`w ${word}`)
    found.add(`p ${last} ${word}`)
    found.add(`s ${lastButOne} _ ${word}`)
    found.add(`t ${lastButOne} ${last} ${word}`)
    for (let size = 3; size <= LONGEST_PIECE + 1; size++)
      for (let from = 0; from + size <= word.length + 2; from++) found.add(`c ${`<${word}>`.slice(from, from + size)}`)
  }
  if (words.length > 0) found.add(`p ${words.at(-1)} $`)
}

/** Pieces of a text in scripts without spaces, up to four characters long. */
export function pieces(said: string, found: Set<string>): void {
  const letters = [...`^${said.replaceAll(' ', '')}$`]
  for (let size = 1; size <= LONGEST_PIECE; size++)
    for (let from = 0; from + size <= letters.length; from++) found.add(`j ${letters.slice(from, from + size).join('')}`)
}

function shapeOf(said: string, all: readonly string[], isCjk: boolean, known: (piece: string) => boolean): string[] {
  const size = sizeOf(said, all, isCjk)
  const piecesOf = vocabulary(said)
  const strange = piecesOf.filter(piece => !known(piece)).length
  const share = piecesOf.length === 0 ? 0 : strange / piecesOf.length
  const part = share === 0 ? 0 : share < 0.15 ? 1 : share < 0.35 ? 2 : share < 0.6 ? 3 : 4
  const script = isCjk ? 'j' : 'l'
  const ends = asks(said) ? 'q' : '.'
  return [
    `script ${script}`,
    `size ${script} ${size}`,
    `strange ${script} ${Math.min(4, isCjk ? Math.ceil(strange / 3) : strange)}`,
    `part ${script} ${part}`,
    `part ${script} ${part} ${size}`,
    `ends ${script} ${ends}`,
    `ends ${script} ${ends} ${part}`,
    ...(said.includes('0') ? ['digit'] : []),
    ...(said.includes('⌁') ? ['code'] : []),
    ...(said.includes('“') ? ['quotes'] : []),
    ...(said.length <= 16 ? [`whole ${said.replace(/[\s!.。、,☺☻…]/g, '')}`] : []),
  ]
}

function sizeOf(said: string, all: readonly string[], isCjk: boolean): number {
  const count = isCjk ? Math.ceil(said.length / 3) : all.length
  return count <= 4 ? count : count <= 6 ? 5 : count <= 9 ? 6 : count <= 14 ? 7 : 8
}

/** Whether a text ends as a question. */
function asks(said: string): boolean {
  return /\?[^\p{L}\p{N}]*$/u.test(said)
}

/** The words next to a name. */
function atName(said: string, isCjk: boolean, all: readonly string[]): string[] {
  const found: string[] = []
  for (const sign of [BOT, PERSON]) {
    if (!said.includes(sign)) continue
    const name = sign === BOT ? 'n' : 'm'
    found.push(`${name} has`, `${name} ends ${asks(said)}`)
    const at = all.indexOf(sign)
    const after = all.slice(at + 1, at + 4).map(token => (CJK.test(token) ? token.slice(0, 3) : token))
    const before = all.slice(Math.max(0, at - 3), at).map(token => (CJK.test(token) ? token.slice(-3) : token))
    found.push(
      `${name} after ${after[0] ?? '$'}`,
      `${name} after ${after[0] ?? '$'} ${after[1] ?? '$'}`,
      `${name} after2 ${after[1] ?? '$'}`,
    )
    found.push(
      `${name} before ${before.at(-1) ?? '^'}`,
      `${name} before ${before.at(-2) ?? '^'} ${before.at(-1) ?? '^'}`,
      `${name} first ${all[0]}`,
    )
    found.push(
      `${name} between ${before.at(-1) ?? '^'} ${after[0] ?? '$'}`,
      `${name} at ${Math.min(3, at)} ${Math.min(3, all.length - at - 1)}`,
    )
    found.push(
      `${name} after ${after[0] ?? '$'} ${asks(said)}`,
      `${name} pauses ${/^[\s]*[,、:!?。…]/.test(said.slice(said.indexOf(sign) + 1))}`,
    )
    if (!isCjk) continue
    const rest = said.slice(said.indexOf(sign) + 1).replace(/^(?:さん|ちゃん|くん|君|様|先生|先輩|たん)/, '')
    const lead = said.slice(0, said.indexOf(sign))
    for (let size = 0; size <= 6; size++) found.push(`${name} then ${size} ${rest.slice(0, size)}`)
    for (let size = 0; size <= 4; size++) found.push(`${name} till ${lead.slice(lead.length - size)}`)
    for (let size = 1; size <= 4; size++)
      found.push(`${name} close ${rest.slice(-size)}`, `${name} close ${rest.slice(0, 1)} ${rest.slice(-size)}`)
    found.push(`${name} then ${rest.slice(0, 1)} ${asks(said)}`, `${name} then ${rest.slice(0, 2)} ${asks(said)}`)
  }
  return found
}

/** Features of the message together with the line before: "yes" answers a question and takes note of a statement. */
function contextOf(said: string, all: readonly string[], isCjk: boolean, before: LineBefore | undefined): string[] {
  const by = before ? `${before.by} ${questionIn(before.said)}` : 'nothing'
  const whole = said.replace(/[\s!.。、,☺☻…]/g, '')
  const ends = isCjk ? whole.slice(-2) : (all.findLast(token => /[\p{L}\p{N}⌂⍟]/u.test(token)) ?? '')
  return [
    `by ${by}`,
    `by ${by} size ${sizeOf(said, all, isCjk)}`,
    `by ${by} asks ${asks(said)}`,
    `by ${by} digit ${said.includes('0')}`,
    `by ${by} begins ${isCjk ? whole.slice(0, 2) : all[0]}`,
    `by ${by} ends ${ends}`,
    ...(whole.length <= 20 ? [`by ${by} whole ${whole}`] : []),
  ]
}

const ASKS_AT_END = /(?:ですか|ますか|でしたか|ましたか|んですか|かな|っけ|だっけ|ませんか|教えてください|だろ)[。!…\s]*$/
const ASKS_AT_START =
  /^(?:⌂[,\s]*)?(?:what|where|when|who|whose|why|how|which|is|are|does|do|did|can|could|should|shall|would|will|has|have|anyone|wheres|whens|whats|hows)\b/

function questionIn(said: string): 'question' | 'statement' {
  return asks(said) || said.includes('?') || ASKS_AT_END.test(said) || ASKS_AT_START.test(said) ? 'question' : 'statement'
}
