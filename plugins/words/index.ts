/** Learns the words of a channel: jargon, abbreviations and nicknames, with who said what they mean. */
import { channelOf, definePlugin, languageOf, type Message, MessageLog, runWhenDue, type Turn } from 'kikimimi'
import { z } from 'zod'
import { wordsCommand } from './command.ts'
import { definitionsIn, isDefinition, keyOf, orderIn } from './definitions.ts'
import { createProposing } from './propose/propose.ts'
import { answer, sectionOf, sourcesOf, WITHIN } from './show.ts'
import { createWords, ownOf, type Word } from './store.ts'
import { texts } from './texts.ts'

const options = z
  .strictObject({
    learn: z
      .boolean()
      .default(false)
      .describe('Learn the words of the place, and explain them. Without it the plugin does nothing.'),
    propose: z
      .boolean()
      .default(true)
      .describe('Once a day, let the model of the role `summary` find explanations that the rules do not recognise.'),
  })
  .prefault({})

export type Options = z.output<typeof options>

interface Order {
  readonly kind: 'ask' | 'forget' | 'define'
  readonly word: string
}

/** Definitions of one turn, the last ones. */
const OF_TURN = 20

/** The reason in the trace. */
const WHY: Readonly<Record<Order['kind'], string>> = {
  ask: 'is asked what a word means here',
  forget: 'is told to forget a word',
  define: 'is told what a word means here',
}

export default definePlugin({
  name: 'words',
  options,
  needs: [MessageLog],
  scoped: ['learn', 'propose'],
  before: ['remember', 'digest', 'proactive', 'eavesdrop', 'judge-rules', 'judge-llm', 'reply'],
  migrations: new URL('./migrations/', import.meta.url),
  prompts: new URL('./prompts/', import.meta.url),
  remembers: true,
  setup: async ctx => {
    const { db, clock } = ctx
    const words = createWords(ctx)
    const renewBy = runWhenDue(ctx, 'renew', async () => void (await words.renew()))
    const onStale = () =>
      void renewBy(new Date(clock.now())).catch((error: unknown) => ctx.log.warn('could not plan a renewal', { error }))
    ctx.scope.defer(await db.listen('words.stale', onStale))
    ctx.every('propose', '1d', createProposing(ctx, words))

    const isOn = (turn: Turn) => ctx.optionsFor(turn.conversation).learn
    const namesIn = ({ me, persona }: Turn) => [...persona.names, me.name]
    const localeOf = ({ history }: Turn, message: Message) => languageOf([message], languageOf(history, ctx.bot.locale))

    /** The messages of a turn are read once, in the first stage that needs their words. */
    const learned = new WeakMap<Turn, Promise<void>>()
    function learn(turn: Turn): Promise<void> {
      const { conversation, messages, history } = turn
      const found = () => definitionsIn(messages, history, namesIn(turn)).slice(-OF_TURN)
      const learning = learned.get(turn) ?? words.learn(conversation.id, channelOf(conversation), found())
      learned.set(turn, learning)
      return learning
    }

    async function orderOf(turn: Turn, message: Message): Promise<Order | undefined> {
      if (!isOn(turn) || message.addressed === undefined || message.refused !== undefined) return undefined
      const names = namesIn(turn)
      const [definition] = definitionsIn([message], turn.history, names)
      if (definition) return isDefinition(message, names) ? { kind: 'define', word: definition.word } : undefined
      const order = orderIn(message.text, names)
      if (!order) return undefined
      await learn(turn)
      // Other words are for other plugins, and for the model.
      return (await words.find(turn.conversation, channelOf(turn.conversation), keyed(order.word))).length > 0 ? order : undefined
    }

    async function carry(turn: Turn, { kind, word }: Order): Promise<string> {
      const { conversation, message } = turn
      const locale = localeOf(turn, message)
      await learn(turn)
      const found = await words.find(conversation, channelOf(conversation), keyed(word))
      const own = ownOf(found, message.author)
      if (kind === 'forget') return forget(found, own, locale)
      const told = kind === 'define' ? own : found
      turn.sources.push(...sourcesOf(told))
      return kind === 'define' ? noted(told, locale) : answer(told, locale, clock.now())
    }

    function noted([one]: readonly Word[], locale: string): string {
      if (!one) return texts(locale)('notNoted')
      return texts(locale)(one.person === null ? 'noted' : 'notedName', { word: one.word, meaning: one.meaning })
    }

    async function forget(found: readonly Word[], own: readonly Word[], locale: string): Promise<string> {
      const [first] = own
      if (!first) return texts(locale)('notYours', { word: found[0]?.word ?? '', name: found[0]?.authorName ?? '' })
      await words.drop(own.map(({ id }) => id))
      return texts(locale)('forgotten', { word: first.word })
    }

    return {
      async decide(turn) {
        const order = turn.addressed && (await orderOf(turn, turn.message))
        return order ? { kind: 'full', why: WHY[order.kind] } : undefined
      },

      async separate(turn, added) {
        return (await orderOf(turn, added)) && 'an order of its own'
      },

      async context(turn) {
        if (!isOn(turn)) return undefined
        await learn(turn)
        const { conversation, messages, history } = turn
        const said = messages.map(({ text }) => text).join('\n')
        const within = said.slice(-WITHIN).normalize('NFKC').toLowerCase()
        const found = await words.find(conversation, channelOf(conversation), { within })
        return sectionOf(found, said.slice(-WITHIN), { locale: languageOf(history, ctx.bot.locale), now: clock.now() })
      },

      async respond(turn) {
        const order = turn.addressed && (await orderOf(turn, turn.message))
        return order ? { kind: 'text', text: await carry(turn, order) } : undefined
      },

      async after(turn) {
        if (isOn(turn)) await learn(turn)
      },

      commands: [wordsCommand(ctx, words)],
      forget: person => words.forget(person),
    }
  },
})

const keyed = (word: string) => ({ key: keyOf(word) })
