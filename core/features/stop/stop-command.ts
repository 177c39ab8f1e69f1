/** STOP and START in a message that contains nothing else: "@kiki STOP", 「キキ、黙れ」. */
import type { IncomingMessage, Person } from '../../api/index.ts'
import { LOCALES, texts } from '../../base/text/core-texts.ts'

/** In every language. English is in capitals, because "stop" is a common word. */
const wordsFor = (key: 'stop.said' | 'start.said') => new Set(LOCALES.flatMap(locale => texts(locale)(key).split('|')))
const STOP = wordsFor('stop.said')
const START = wordsFor('start.said')

/** The command without the name of the bot. */
export function stopCommandIn(
  { text, mentions = [], replyTo, conversation }: IncomingMessage,
  me: Person,
  names: readonly string[],
): 'stop' | 'start' | undefined {
  // Every command is short, and most messages are longer.
  if (text.length > 100) return undefined
  const said = text.normalize('NFKC')
  const own = [...names, me.name, ...mentions.filter(({ id }) => id === me.id).map(({ name }) => name)]
  const order = own.reduce((rest, name) => without(rest, name.normalize('NFKC')), said).replace(AROUND, '')
  const isCalled =
    order !== said.replace(AROUND, '') ||
    conversation.visibility === 'direct' ||
    replyTo?.author === me.id ||
    mentions.some(({ id }) => id === me.id)
  if (!isCalled) return undefined
  return STOP.has(order) ? 'stop' : START.has(order) ? 'start' : undefined
}

/** Spaces and punctuation at both ends. */
const AROUND = /^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu

function without(text: string, name: string): string {
  const at = name === '' ? -1 : text.toLowerCase().indexOf(name.toLowerCase())
  return at < 0 ? text : `${text.slice(0, at)} ${text.slice(at + name.length)}`
}
