/** Formats memories for a prompt: with age and speaker, quoted as data. */
import { type Locale, type MessageSource, namesOf, type Person, safeName, safeText, type Turn } from 'kikimimi'
import type { Recalled } from './api/facts.ts'
import { texts } from './texts.ts'

/** Maximum length of one memory, in characters. */
const LONGEST = 300

/** Characters that it is made from: what is invisible is left out. */
const READ = 4_000

export function titleIn(locale: Locale): string {
  return texts(locale)('title')
}

/** One line per memory, under a note. Participants have the names of the transcript. */
export function formatRecalled(recalled: readonly Recalled[], turn: Turn, locale: Locale, now: Date): string {
  const nameOf = naming(recalled, turn, locale)
  return [texts(locale)('note'), '', ...recalled.map(one => `- ${line(one, nameOf, locale, now)}`)].join('\n')
}

function line(one: Recalled, nameOf: (id: string) => string, locale: Locale, now: Date): string {
  const say = texts(locale)
  const at = one.kind === 'fact' ? one.fact.at : one.message.at
  const said = one.kind === 'fact' ? sayers(one.fact) : [one.message.author]
  const text = one.kind === 'fact' ? one.fact.content : one.message.text
  const [first = say('someone'), second] = said.map(nameOf)
  const who = second === undefined ? first : say('and', { one: first, other: second })
  const values = { age: ageOf(at, locale, now), who, text: quoted(text) }
  const ended = one.kind === 'fact' ? one.fact.validTo : undefined
  if (ended) return say('saidUntil', { ...values, until: ageOf(ended, locale, now) })
  const asked = one.kind === 'message' ? one.message.asked : undefined
  return asked ? say('answered', { ...values, asker: nameOf(asked.author), question: quoted(asked.text) }) : say('said', values)
}

/** The facts, the messages that memories were made from, and the questions that are shown with them. */
export function sourcesOf(recalled: readonly Recalled[]): MessageSource[] {
  return recalled.flatMap((one): MessageSource[] =>
    one.kind === 'fact'
      ? [
          { conversation: 'facts', first: one.fact.id, last: one.fact.id },
          ...one.fact.sources.map(({ channel, message }) => ({ channel, messages: [message] })),
        ]
      : [{ channel: one.message.channel, messages: [one.message.id, ...(one.message.asked ? [one.message.asked.id] : [])] }],
  )
}

/** The speakers; without known speakers, the people that it is about. */
function sayers({ sources, people }: { sources: readonly { author: string }[]; people: readonly string[] }): string[] {
  return [...new Set(sources.length > 0 ? sources.map(({ author }) => author) : people)]
}

/** The text on one line, without characters that would end the quotation. */
function quoted(text: string): string {
  const plain = safeText(text.slice(0, READ))
    .replace(/(?<!\s)\s*\n\s*/g, ' / ')
    .replace(/[“”「」]/g, '"')
  const characters = [...plain]
  return characters.length > LONGEST ? `“${characters.slice(0, LONGEST).join('')}…”` : `“${plain}”`
}

/** Distinguishes two people with one name, and marks the person who asks. */
function naming(recalled: readonly Recalled[], { history, message }: Turn, locale: Locale): (id: string) => string {
  const say = texts(locale)
  const someone = say('someone')
  const known = recalled.flatMap(({ names }) => [...names]).map(([id, name]): Person => ({ id, name }))
  const names = namesOf([...history, ...known.map(author => ({ author, own: false }))], someone)
  return id => {
    const name = safeName(names.get(id) ?? '') || someone
    return id === message.author.id ? say('asking', { name }) : name
  }
}

const STEPS = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** The age in words: `3 weeks ago`, `3週間前`. */
export function ageOf(at: Date, locale: Locale, now: Date): string {
  const age = now.getTime() - at.getTime()
  const step = STEPS.find(([, ms]) => age >= ms)
  if (!step) return texts(locale)('now')
  const [unit, ms] = step
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'always' })
  return format.format(-Math.floor(age / ms), unit).replace(/(?<=\d)\s+(?=\p{sc=Han}|か)/u, '')
}
