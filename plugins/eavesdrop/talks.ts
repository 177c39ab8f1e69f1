import { type Locale, type Message, type Turn, transcript } from 'kikimimi'

/**
 * The parallel conversations among these messages, each in order. People linked by replies and mentions are in one
 * conversation. All people without links are in another one.
 */
export function talksIn(messages: readonly Message[]): readonly (readonly Message[])[] {
  const people = groupsOf(messages)
  const groups = new Map<string, string>()
  let latest = ''
  for (const message of messages) {
    // The bot's messages belong to the conversation that they reply to.
    const group = message.own ? groups.get(message.replyTo ?? '') : people(message.author.id)
    latest = group ?? latest
    groups.set(message.id, latest)
  }
  return [...Map.groupBy(messages, ({ id }) => groups.get(id)).values()]
}

/** Returns a function that gives the group of a person. */
function groupsOf(messages: readonly Message[]): (person: string) => string {
  const spoken = messages.filter(({ own }) => !own)
  const authors = new Map(spoken.map(({ id, author }) => [id, author.id]))
  const parents = new Map([...authors.values()].map(person => [person, person]))
  const linked = new Set<string>()

  function root(person: string): string {
    const parent = parents.get(person) ?? person
    return parent === person ? person : root(parent)
  }

  const join = (one: string, other: string) => parents.set(root(one), root(other))

  for (const { author, replyTo, mentions } of spoken) {
    for (const other of [authors.get(replyTo ?? ''), ...mentions.map(({ id }) => id)]) {
      if (other === undefined || other === author.id || !parents.has(other)) continue
      join(author.id, other)
      linked.add(author.id).add(other)
    }
  }

  const plain = [...parents.keys()].filter(person => !linked.has(person))
  const [first, ...rest] = plain
  // A person without links speaks to the previous speakers, or else to the next ones.
  if (first !== undefined && rest.length === 0) {
    const at = spoken.findIndex(({ author }) => author.id === first)
    const beside = spoken[at - 1] ?? spoken.find(({ author }) => author.id !== first)
    if (beside) join(first, beside.author.id)
  }
  for (const other of rest) join(other, first ?? other)
  return root
}

/** A conversation of a turn for a prompt, with the messages of others that it answers. */
export function transcriptOf(
  talk: readonly Message[],
  { conversation, history, messages, surroundings, persona }: Turn,
  locale: Locale,
): string {
  return transcript(talk, {
    locale,
    timeZone: persona.timeZone,
    quoted: [...history, ...(surroundings?.quoted ?? [])],
    root: conversation.details?.root,
    news: messages.map(({ id }) => id),
  })
}
