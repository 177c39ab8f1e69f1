import { type Conversation, channelOf, type Message, type Person, type PersonKey, type Trace } from '../../api/index.ts'
import { fold } from '../../base/text/fold.ts'
import { nounPattern, tellingNames } from '../../base/text/telling-names.ts'
import type { Forgetting, ForgettingStore, KeptDelivery, KeptMessage, Whose } from './erasure-store.ts'
import type { Entry, Unfinished } from './store.ts'

/** The data in memory, to read and change. */
export interface Memory {
  conversations(): Iterable<{ conversation: Conversation; entries: Entry[] }>
  readonly deliveries: Map<string, Unfinished & { readonly conversation: string }>
  /** Nothing stays of what was made from a message. */
  lose(conversation: string, seq: number): void
  traces(): readonly Trace[]
  keepTraces(kept: readonly Trace[]): void
}

/** Erasure in memory, while the process runs. */
export function createMemoryForgetting(memory: Memory): ForgettingStore {
  const requests = new Map<number, Forgetting>()
  /** Until when messages of a person are erased, also after it is done. */
  const erased = new Map<string, Date>()
  let count = 0
  const keyOf = (platform: string, id: string) => `${platform}\n${id}`

  const placesOf = ({ platform }: PersonKey) =>
    [...memory.conversations()].filter(({ conversation }) => conversation.platform === platform)

  function entriesOf(whose: Whose, forgetting: Forgetting): (Entry & { readonly channel: string })[] {
    return placesOf(forgetting)
      .flatMap(({ conversation, entries }) => entries.map(entry => ({ ...entry, channel: channelOf(conversation) })))
      .filter(entry => whose === whoseIs(entry.message, forgetting) && isMeant(entry, forgetting))
  }

  /** By channel and id, because ids are unique within a channel. */
  const theirs = (forgetting: Forgetting) =>
    new Set(entriesOf('person', forgetting).map(({ channel, message }) => `${channel}\n${message.id}`))

  function change(seqs: ReadonlySet<number>, to: (entry: Entry) => Entry | undefined): void {
    for (const kept of memory.conversations())
      kept.entries = kept.entries.flatMap(entry => (seqs.has(entry.seq) ? (to(entry) ?? []) : [entry]))
  }

  function put(number: number, news: Partial<Forgetting>): void {
    const request = requests.get(number)
    if (request) requests.set(number, { ...request, ...news })
  }

  /** Whether it is still the same request: the person may have asked again. */
  const isSame = ({ number, before }: Forgetting) => requests.get(number)?.before.getTime() === before.getTime()

  /** Whether another person has the name, others wrote it before the person came, or they write it as a noun. */
  function isOfOthers(name: string, forgetting: Forgetting): boolean {
    const [folded, noun] = [fold(name), new RegExp(nounPattern(name))]
    const first = entriesOf('person', forgetting)[0]?.seq ?? 0
    return entriesOf('others', forgetting).some(({ seq, message: { author, mentions, text } }) => {
      const said = fold(text)
      const isBefore = seq < first && mentions.every(({ id }) => id !== forgetting.id) && said.includes(folded)
      const isOther = (one: Person) => one.id !== forgetting.id && fold(one.name) === folded
      return isBefore || noun.test(said) || [author, ...mentions].some(isOther)
    })
  }

  const channelIn = (id: string) => id.split('/').slice(0, 3).join('/')

  return {
    async ask(person, before, also) {
      const known = [...requests.values()].find(({ platform, id }) => platform === person.platform && id === person.id)
      const number = known?.number ?? ++count
      requests.set(number, { ...person, number, before, names: known?.names ?? [], attempts: 0 })
      erased.set(keyOf(person.platform, person.id), before)
      await also(number)
    },

    asked: async () => [...requests.values()],
    erased: async (platform, people) =>
      new Map(
        people.flatMap(id => {
          const until = erased.get(keyOf(platform, id))
          return until ? [[id, until] as const] : []
        }),
      ),
    find: async number => requests.get(number),
    failed: async number => put(number, { attempts: (requests.get(number)?.attempts ?? 0) + 1 }),

    async gatherNames(forgetting) {
      const said = entriesOf('person', forgetting).map(({ message }) => message.author.name)
      const mentioned = placesOf(forgetting).flatMap(({ entries }) =>
        entries.flatMap(({ message }) => message.mentions.filter(({ id }) => id === forgetting.id).map(({ name }) => name)),
      )
      const others = new Set(
        [...said, ...mentioned, forgetting.id].map(name => name.trim()).filter(name => isOfOthers(name, forgetting)),
      )
      const names = [...new Set([...forgetting.names, ...tellingNames(forgetting.id, [...said, ...mentioned], others)])]
      put(forgetting.number, { names })
      return names
    },

    async began(number, at) {
      put(number, { beganAt: requests.get(number)?.beganAt ?? at })
    },

    async cleared(forgetting, at) {
      if (!isSame(forgetting)) return false
      put(forgetting.number, { clearedAt: at, attempts: 0 })
      return true
    },

    async done(forgetting) {
      return isSame(forgetting) && requests.delete(forgetting.number)
    },

    near: async () => undefined,
    keepWords: async () => {},
    keptWords: async () => [],

    async messages(whose, forgetting, after) {
      return entriesOf(whose, forgetting)
        .filter(({ seq }) => seq > after)
        .map(toKept)
    },

    countOwn: async forgetting => entriesOf('bot', forgetting).length,

    async answers(forgetting) {
      const asked = theirs(forgetting)
      const sent = new Set(
        memory.traces().flatMap(({ conversation, messages, sent }) => {
          const channel = channelIn(conversation)
          return messages.some(id => asked.has(`${channel}\n${id}`)) ? sent.map(id => `${channel}\n${id}`) : []
        }),
      )
      return entriesOf('bot', forgetting)
        .filter(({ channel, message: { id, replyTo } }) => sent.has(`${channel}\n${id}`) || asked.has(`${channel}\n${replyTo}`))
        .map(({ seq }) => seq)
    },

    async saidSince(forgetting, at) {
      return entriesOf('bot', forgetting)
        .filter(({ receivedAt }) => receivedAt >= at)
        .flatMap(({ seq, message }) =>
          memory
            .traces()
            .filter(({ sent }) => sent.includes(message.id))
            .map(({ turn }) => ({ seq, turn })),
        )
    },

    async rewrite(seqs, to) {
      change(new Set(seqs), entry => {
        const { text, mentions, reactions, parts } = to(toKept(entry))
        const { reactions: _, parts: __, ...message } = entry.message
        const rest = { ...(reactions.length > 0 && { reactions }), ...(parts.length > 0 && { parts }) }
        return { ...entry, message: { ...message, text, mentions, ...rest } }
      })
      return seqs.length
    },

    // The channel keeps a set of message ids beside the messages.
    async erase(seqs) {
      const these = new Set(seqs)
      for (const { conversation, entries } of memory.conversations())
        for (const { seq } of entries) if (these.has(seq)) memory.lose(conversation.id, seq)
      change(these, () => undefined)
    },

    async turns(forgetting) {
      const asked = theirs(forgetting)
      return memory
        .traces()
        .filter(({ conversation, messages }) => messages.some(id => asked.has(`${channelIn(conversation)}\n${id}`)))
        .map(({ turn }) => turn)
    },

    async traces(forgetting, after) {
      if (after !== '') return []
      return memory
        .traces()
        .filter(({ conversation, at }) => isOn(conversation, forgetting) && at <= untilCleared(forgetting))
        .map(trace => ({ turn: trace.turn, trace }))
    },

    // Prompts are kept in a database only.
    prompts: async () => [],
    dropPrompts: async () => {},

    async dropTraces(turns) {
      const gone = new Set(turns)
      memory.keepTraces(memory.traces().filter(({ turn }) => !gone.has(turn)))
    },

    async deliveries(forgetting, after): Promise<readonly KeptDelivery[]> {
      if (after !== '') return []
      const asked = theirs(forgetting)
      return [...memory.deliveries.values()]
        .filter(({ conversation, at }) => isOn(conversation, forgetting) && at <= untilCleared(forgetting))
        .map(({ nonce, body, conversation, answers, target }) => ({
          nonce,
          body,
          theirs: [answers, target].some(id => asked.has(`${channelIn(conversation)}\n${id}`)),
        }))
    },

    async dropDeliveries(nonces) {
      for (const nonce of nonces) memory.deliveries.delete(nonce)
    },

    directs: async forgetting =>
      placesOf(forgetting)
        .filter(({ conversation }) => conversation.visibility === 'direct')
        .map(({ conversation: { id, name } }) => ({ id, name })),

    async dropDetails(forgetting) {
      for (const kept of placesOf(forgetting)) {
        const { details: _, ...rest } = kept.conversation
        kept.conversation = rest
      }
    },

    async unname(ids) {
      for (const kept of memory.conversations())
        if (ids.includes(kept.conversation.id)) kept.conversation = { ...kept.conversation, name: '' }
    },
  }
}

function isMeant({ receivedAt, message }: Entry, forgetting: Forgetting): boolean {
  if (message.own) return receivedAt <= untilCleared(forgetting)
  return receivedAt <= forgetting.before || (message.missed === true && message.at <= forgetting.before)
}

/** Messages of the bot count until the log is cleared. */
function untilCleared({ clearedAt }: Forgetting): Date {
  return clearedAt ?? new Date(8.64e15)
}

function whoseIs({ own, author }: Message, { id }: PersonKey): Whose {
  return own ? 'bot' : author.id === id ? 'person' : 'others'
}

function isOn(conversation: string, { platform }: PersonKey): boolean {
  return conversation.startsWith(`${encodeURIComponent(platform)}/`)
}

function toKept({ seq, message: { text, mentions, reactions = [], parts = [] } }: Entry): KeptMessage {
  return { seq, text, mentions, reactions, parts }
}
