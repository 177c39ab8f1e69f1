/** What people can do with an answer of the bot: have it made again or shorter, delete it, say whether it helped. */
import {
  type ChatCommand,
  type CommandCall,
  channelOf,
  type Handle,
  inChannel,
  inThread,
  type Platform,
  type ReactionChange,
} from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { texts } from '../../base/text/core-texts.ts'
import { languageOf } from '../../base/text/language.ts'
import type { Locale } from '../../base/text/texts.ts'
import type { Deliverer } from '../../kernel/turns/deliverer.ts'
import type { Revision, SentAnswer, Store } from '../../storage/store/store.ts'
import type { TurnQueue } from '../../storage/turns/turn-queue.ts'

export interface AnswersOptions {
  readonly store: Pick<Store, 'answer' | 'history' | 'react' | 'remove' | 'reopen' | 'traces'>
  readonly queue: Pick<TurnQueue, 'ended' | 'schedule'>
  readonly delivery: Pick<Deliverer, 'remove'>
  readonly platforms: ReadonlyMap<string, Platform>
  readonly clock: Clock
  /** Aborted when the bot stops and will wait no longer. */
  readonly stopping: AbortSignal
}

/** Messages that are searched for the last answer, and turns for the one of an answer. */
const RECENT = 50
const TURNS = 200

/** The votes of people, as reactions: what learns from reactions learns from them. */
const VOTES = ['👍', '👎'] as const

export function answerCommands(options: AnswersOptions): readonly ChatCommand[] {
  const { store, queue, delivery, platforms, clock, stopping } = options

  /** The answer that a command is for. Without a message it is the last one of the conversation. */
  async function find({ conversation, message }: CommandCall): Promise<SentAnswer | undefined> {
    const last = message ?? (await store.history(conversation.id, RECENT)).findLast(({ own }) => own)?.id
    return last === undefined ? undefined : store.answer(conversation, { message: last })
  }

  const mayChange = async ({ person, moderates }: CommandCall, { asker }: SentAnswer) =>
    person.id === asker || (await moderates())

  async function revise(call: CommandCall, how: Revision): Promise<Result> {
    const answer = await find(call)
    if (!answer) return 'answer.unknown'
    if (!(await mayChange(call, answer))) return 'answer.notYours'
    const trace = (await store.traces(TURNS, answer.conversation)).find(({ turn }) => turn === answer.turn)
    // What a tool has done would be done again. An order is not an answer of a model.
    if (!trace || trace.tools || !trace.models.some(({ role }) => role === 'chat')) return 'answer.fixed'
    // The message that it answered can have been deleted.
    if (!(await store.reopen(call.conversation, answer.turn, how))) return 'answer.unknown'
    await queue.schedule(answer.conversation, { at: clock.now(), vary: 1, urgent: true }, 'sooner')
    return 'answer.begun'
  }

  async function remove(call: CommandCall): Promise<Result> {
    const answer = await find(call)
    if (!answer) return 'answer.unknown'
    if (!(await mayChange(call, answer))) return 'answer.notYours'
    const { messages, thread } = answer
    const platform = platforms.get(call.conversation.platform)
    const where = thread === undefined ? inChannel(call.conversation) : inThread(call.conversation, thread)
    if (platform) await delivery.remove(platform, where, messages, store.remove, stopping)
    return 'answer.deleted'
  }

  async function vote(call: CommandCall, emoji: (typeof VOTES)[number]): Promise<Result> {
    const message = (await find(call))?.messages.at(-1)
    if (message === undefined) return 'answer.unknown'
    const by = call.person.id
    for (const one of VOTES) await store.react(call.conversation, message, { emoji: one, by, removed: one !== emoji })
    return 'answer.thanks'
  }

  /** People see an answer before its turn has ended, which stores how it was made. So a command that does not find that is run again then. */
  const command = (name: Name, emoji: string, run: (call: CommandCall) => Promise<Result>): ChatCommand => ({
    name,
    names: texts.all(`command.${name}.name`),
    does: texts.all(`command.${name}`),
    permission: 'everyone',
    on: { at: 'answer', label: texts.all(`command.${name}.label`), emoji },
    async run(call) {
      const say = texts(call.locale)
      const result = await run(call)
      if (result !== 'answer.unknown' && result !== 'answer.fixed') return say(result)
      const channel = channelOf(call.conversation)
      await queue.ended(id => id === channel || id.startsWith(`${channel}/`))
      return say(await run(call))
    },
  })

  return [
    command('again', '🔁', call => revise(call, 'again')),
    command('shorter', '✂️', call => revise(call, 'shorter')),
    // A vote is a reaction, and the answer is the person's own.
    { ...command('helpful', '👍', call => vote(call, '👍')), access: 'always' },
    { ...command('unhelpful', '👎', call => vote(call, '👎')), access: 'always' },
    { ...command('delete', '🗑️', remove), access: 'always' },
  ]
}

type Result = `answer.${'unknown' | 'notYours' | 'fixed' | 'begun' | 'deleted' | 'thanks'}`
type Name = 'again' | 'shorter' | 'helpful' | 'unhelpful' | 'delete'

/** The buttons of an answer, in the language of its text. */
export function handlesOf(commands: readonly ChatCommand[], text: string, locale: Locale): readonly Handle[] {
  const language = languageOf([{ text, own: false }], locale)
  return commands.flatMap(({ name, on }) =>
    on?.at === 'answer' ? [{ command: name, label: on.label[language] ?? on.label.en, emoji: on.emoji }] : [],
  )
}

/** Reactions that are a command for the answer under which they stand. */
const BY_REACTION = new Map([
  ['🔁', 'again'],
  ['🔄', 'again'],
  ['✂', 'shorter'],
  ['🗑', 'delete'],
  ['❌', 'delete'],
])

/** The command of a reaction. Nothing for another one. */
export function commandOf({ emoji, removed }: ReactionChange): string | undefined {
  return removed ? undefined : BY_REACTION.get(emoji.replaceAll('\ufe0f', ''))
}
