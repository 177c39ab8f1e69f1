/** Writes the reply from the persona, the context and the results of tools. */
import {
  type CommandCall,
  type Context,
  conversationValues,
  definePlugin,
  Files,
  formatFiles,
  formatSections,
  KikimimiError,
  type Locale,
  languageOf,
  type ModelRequest,
  Tools,
  type Turn,
  transcript,
} from 'kikimimi'
import { z } from 'zod'
import { beginningOf, cleanReply } from './clean.ts'
import { quotes } from './quote.ts'
import { chooseReaction } from './reactions.ts'
import { texts } from './texts.ts'

/** Number of messages that are enough for a short phrase such as "I see". */
const ACK_HISTORY = 10

/** Output tokens of an explanation. */
const EXPLAIN_TOKENS = 400

/** Output tokens of a short phrase. */
const ACK_TOKENS = 50

const options = z
  .strictObject({
    instruction: z.string().default('').describe('Your own instruction, placed at the end of the system prompt.'),
    history: z.int().positive().default(50).describe('Number of messages of the conversation in the prompt.'),
    maxTokens: z.int().positive().default(1_000).describe('Maximum number of output tokens of an answer.'),
    reactions: z
      .array(z.string().min(1))
      .nonempty()
      .default(['👀', '😊', '👍', '🤔', '✨', '💡'])
      .describe('Emoji that the bot reacts with.'),
  })
  .prefault({})

export default definePlugin({
  name: 'reply',
  options,
  needs: [Files, Tools],
  always: ['respond'],
  unused: (_options, bot): Readonly<Record<string, string>> =>
    bot.modelsFor('chat').every(name => name === 'offline') ? { instruction: 'the offline model follows no instruction' } : {},
  scoped: ['instruction', 'history', 'maxTokens', 'reactions'],
  prompts: new URL('./prompts/', import.meta.url),
  setup: ctx => {
    /** The files of the messages to answer, of those that they answer, and of the first one of the thread. */
    async function files({ conversation, message, history, added, surroundings, signal }: Turn, locale: Locale) {
      const { root, quoted = [] } = surroundings ?? {}
      const asked = [message, ...added]
      const answered = [...history, ...quoted].filter(({ id }) => asked.some(({ replyTo }) => replyTo === id))
      const seen = [...asked, ...answered, ...(typeof root === 'object' ? [root] : [])]
      const each = [...new Map(seen.map(one => [one.id, one])).values()]
      const attachments = each.flatMap(one => one.attachments)
      return ctx.use(Files).read(conversation, attachments, { locale, signal })
    }

    /** What to change in an answer that the person wants again. */
    function revision({ revises }: Turn, locale: Locale): readonly string[] {
      return revises ? [ctx.prompt(`${revises.how}.user`, { answer: revises.text }, locale)] : []
    }

    async function request(kind: 'ack' | 'full', turn: Turn, { sections }: Context): Promise<ModelRequest> {
      await turn.takeAdditions()
      const { history, instruction, maxTokens } = ctx.optionsFor(turn.conversation)
      const locale = languageOf(turn.history, ctx.bot.locale)
      const isAck = kind === 'ack'
      const { text, media } = formatFiles(await files(turn, locale), locale)
      const values = {
        ...conversationValues(turn, { locale, length: isAck ? ACK_HISTORY : history, now: new Date(ctx.clock.now()) }),
        sections: formatSections(sections, locale),
        files: text,
      }
      const name = isAck ? 'ack' : 'reply'
      return {
        system: ctx.prompt(`${name}.system`, { persona: turn.persona.prompt, instruction }, locale),
        messages: [
          { role: 'user', text: [ctx.prompt(`${name}.user`, values, locale), ...revision(turn, locale)].join('\n\n'), ...media },
        ],
        ...(isAck
          ? { maxTokens: ACK_TOKENS }
          : { maxTokens, tools: ctx.use(Tools).all.filter(({ offered }) => offered?.(turn) ?? true) }),
        turn,
        signal: turn.signal,
      }
    }

    /** "Explain this" in the menu of a message: the person alone reads the answer. */
    async function explain({ conversation, message, locale, signal }: CommandCall): Promise<string> {
      const say = texts(locale)
      const persona = ctx.bot.personaIn(conversation)
      const before = await ctx.history(conversation, ctx.optionsFor(conversation).history)
      const at = before.findIndex(({ id }) => id === message)
      const asked = before[at]
      if (!asked || asked.leftOut) return say('explain.unknown')
      const values = {
        transcript: transcript(before.slice(0, at + 1), { locale, timeZone: persona.timeZone, asked: [asked.id] }),
      }
      const written = await ctx.models.text('chat', {
        system: ctx.prompt('reply.system', { persona: persona.prompt, instruction: '' }, locale),
        messages: [{ role: 'user', text: ctx.prompt('explain.user', values, locale) }],
        maxTokens: EXPLAIN_TOKENS,
        signal,
      })
      return cleanReply(written, persona.names) || say('explain.unknown')
    }

    return {
      commands: [
        {
          name: 'explain-this',
          does: texts.all('command.explain-this'),
          permission: 'everyone',
          on: { at: 'message', label: texts.all('command.explain-this.label'), emoji: '💡' },
          run: explain,
        },
      ],

      respond: async (turn, { kind, emoji }, context) => {
        const { history, reactions } = ctx.optionsFor(turn.conversation)
        if (kind === 'react') return { kind: 'reaction', emoji: emoji ?? chooseReaction(turn.message.text, reactions) }
        const names = [...turn.persona.names, turn.me.name]
        const quoted = async () =>
          quotes(turn.message, await ctx.history(turn.conversation, history)) && { replyTo: turn.message.id }
        const asked = await request(kind, turn, context)
        const onText = turn.show && showing(turn.show, names, await quoted())
        const written = await ctx.models.text('chat', { ...asked, ...(onText && { onText }) })
        const text = cleanReply(written, names)
        if (text === '') throw new KikimimiError('MODEL_UNREADABLE', 'The model wrote no text that can be sent.')
        return { kind: 'text', text, ...(await quoted()) }
      },
    }
  },
})

/** Shows the text so far, once it is clear that it is a text for people. */
function showing(show: NonNullable<Turn['show']>, names: readonly string[], how: { readonly replyTo?: string } | false) {
  return (written: string) => {
    const text = beginningOf(written, names)
    if (text !== '') show({ kind: 'text', text, ...how })
  }
}
