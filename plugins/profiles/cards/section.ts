/** The cards of the people present, for a prompt. */
import { type Fact, Facts } from '@kikimimi/facts'
import { type Locale, namesOf, type PluginContext, type Section, safeName, type Turn } from 'kikimimi'
import { quoted } from '../section.ts'
import { texts } from '../texts.ts'
import { digestOf } from './card.ts'
import { linesIn, type StoredLine } from './storage.ts'

/** Maximum number of people with a card in a prompt. */
const PEOPLE = 5

/** Undefined if there is no card that the audience may read. */
export async function cardsFor(turn: Turn, ctx: PluginContext, locale: Locale): Promise<Section | undefined> {
  const { conversation, history } = turn
  const store = ctx.use(Facts, 'optional')
  const people = presentIn(turn)
  if (!store || people.length === 0) return undefined
  const lines = await linesIn(ctx.db, conversation, people)
  const ids = [...new Set(lines.flatMap(line => line.facts))]
  if (ids.length === 0) return undefined
  const facts = new Map((await store.list({ conversation, ids, limit: ids.length })).map(fact => [fact.id, fact]))
  const shown = lines.filter(line => isSupported(line, facts))
  const names = new Map([...(await store.names([...facts.values()])), ...namesOf(history, '')])
  const say = texts(locale)
  const nameOf = (id: string) => safeName(names.get(id) ?? '') || say('someone')
  const cards = people.flatMap(person => {
    const theirs = shown.filter(line => line.person === person)
    const own = theirs.filter(line => line.own)
    const card = (own.length > 0 ? own : theirs).map(line => `  - ${formatLine(line, facts, nameOf, locale)}`)
    return card.length > 0 ? [`- ${nameOf(person)}`, ...card] : []
  })
  if (cards.length === 0) return undefined
  return {
    place: 'person',
    title: say('cards'),
    text: [say('cardsNote'), '', ...cards].join('\n'),
    sources: sourcesOf([...facts.values()]),
  }
}

/** The facts, and the messages that they come from, a hundred in each entry at most. */
function sourcesOf(facts: readonly Fact[]): NonNullable<Section['sources']> {
  const channels = Map.groupBy(
    facts.flatMap(fact => fact.sources),
    ({ channel }) => channel,
  )
  const said = [...channels].flatMap(([channel, sources]) => {
    const messages = [...new Set(sources.map(({ message }) => message))]
    return Array.from({ length: Math.ceil(messages.length / 100) }, (_, at) => ({
      channel,
      messages: messages.slice(at * 100, (at + 1) * 100),
    }))
  })
  return [...facts.map(({ id }) => ({ conversation: 'facts', first: id, last: id })), ...said]
}

/** Who has written, the author of the trigger first, then the latest. */
function presentIn({ history, message }: Turn): readonly string[] {
  const people = [message, ...history.toReversed()].filter(({ author, own }) => !own && !author.bot)
  return [...new Set(people.map(({ author }) => author.id))].slice(0, PEOPLE)
}

/** Whether all facts of a line may be read here, still hold, and say the same. */
function isSupported({ facts: ids, digests }: StoredLine, facts: ReadonlyMap<number, Fact>): boolean {
  return ids.every((id, at) => {
    const fact = facts.get(id)
    return fact !== undefined && digestOf(fact) === digests[at]
  })
}

/** The line in quotation marks, with the names of other people who said it. */
function formatLine(
  { person, text, facts: ids }: StoredLine & { readonly person: string },
  facts: ReadonlyMap<number, Fact>,
  nameOf: (id: string) => string,
  locale: Locale,
): string {
  const sayers = ids.flatMap(id => {
    const authors = (facts.get(id)?.sources ?? []).map(({ author }) => author)
    return authors.includes(person) ? [] : authors
  })
  const say = texts(locale)
  const line = quoted(text, locale)
  const who = [...new Set(sayers)].map(nameOf).join(say('and'))
  return who === '' ? line : say('accordingTo', { text: line, who })
}
