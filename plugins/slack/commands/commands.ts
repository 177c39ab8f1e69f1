/**
 * Slash commands: chat commands, whose answers only their author sees, and questions in any channel. Where the bot is no
 * member, it can answer only at an address that comes with the command:
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */
import { createHash } from 'node:crypto'
import type { App as BoltApp } from '@slack/bolt'
import { type Conversation, conversationId, type IncomingMessage, type PluginHooks, RecentMap } from 'kikimimi'
import type { Outgoing, PlatformContext } from 'kikimimi/platform'
import { workspaceOf } from '../connection/bolt-app.ts'
import { isTimestamp } from '../messages/incoming.ts'
import { toMrkdwn } from '../messages/mrkdwn.ts'
import type { AnswerCommand } from '../messages/post.ts'
import { show } from './response.ts'
import { createAddresses } from './response-urls.ts'

export interface Commands {
  readonly answer: AnswerCommand
  after: NonNullable<PluginHooks['after']>
}

type Context = Pick<PlatformContext, 'clock' | 'command' | 'db' | 'log' | 'receive' | 'refusal'>

interface Command {
  readonly message: string
  readonly conversation: string
  readonly address: string
  readonly at: number
  /** Time of the last answer at its address; 0: never. */
  answeredAt: number
}

/** Number of commands that are remembered against repeated deliveries. */
const COMMANDS = 1_000
/** Time in which Slack accepts answers. */
const OPEN_MS = 30 * 60_000
/** Time limit for showing an answer to its author. */
const ANSWER_MS = 10_000
/** The parts of one answer follow each other within this time. */
const REST_MS = 60_000

export function listenToCommands(bolt: BoltApp, ctx: Context): Commands {
  const { clock } = ctx
  const taken = new RecentMap<Command>(COMMANDS)
  // With a server, any process may run the turn.
  const addresses = ctx.db.kind === 'postgres' ? createAddresses(ctx) : undefined
  /** Ids of answered chat commands, against repeated deliveries. */
  const answered = new RecentMap<true>(COMMANDS)

  bolt.command(/.*/, async ({ command: { trigger_id, response_url, channel_id, user_id, text: markup }, context, ack }) => {
    const { names, incoming, account, inOrder } = workspaceOf(context)
    const [author, { text, mentions }, conversation] = await Promise.all([
      names.person(user_id),
      incoming.read(markup),
      incoming.conversation({}, channel_id),
    ])
    if (answered.has(trigger_id)) return ack()
    const moderator = () => names.moderates(user_id, channel_id)
    const admin = () => names.administers(user_id, channel_id)
    const answer = ctx.command({ conversation, person: author, text, moderator, admin })
    if (answer !== undefined) {
      answered.set(trigger_id, true)
      await ack()
      return show(response_url, { response_type: 'ephemeral', text: toMrkdwn(await answer) }, AbortSignal.timeout(ANSWER_MS))
    }
    const refused = await ctx.refusal({ conversation, person: author, text })
    if (refused !== undefined) {
      await ack()
      return show(response_url, { response_type: 'ephemeral', text: toMrkdwn(refused) }, AbortSignal.timeout(ANSWER_MS))
    }
    // Everybody sees the question.
    await ack({ response_type: 'in_channel' })
    await inOrder(channel_id, async () => {
      if (taken.has(trigger_id)) return
      const at = clock.now()
      const id = `${(at / 1_000).toFixed(6)}-${createHash('sha256').update(trigger_id).digest('hex').slice(0, 8)}`
      const message: IncomingMessage = {
        id,
        conversation,
        author,
        text,
        at: new Date(at),
        mentions: [account.me, ...mentions.filter(person => person.id !== account.me.id)],
      }
      const kept = { message: id, trigger: trigger_id, address: response_url }
      // A command whose address cannot be stored is answered there by this process, and by others in the channel.
      if ((await addresses?.keep(kept, new Date(at + OPEN_MS)).catch(notKept)) === false) return
      remember(trigger_id, { message: id, conversation: conversationId(conversation), address: response_url, at, answeredAt: 0 })
      try {
        await ctx.receive(message)
      } catch (error) {
        taken.delete(trigger_id)
        await drop([id])
        throw error
      }
    })
  })

  function notKept(error: unknown): void {
    ctx.log.warn('where a command is answered could not be shared with other processes', { error })
  }

  async function drop(messages: readonly string[]): Promise<void> {
    await addresses?.drop(messages).catch(notKept)
  }

  function remember(trigger: string, command: Command): Command {
    taken.set(trigger, command)
    return command
  }

  function commandFor({ id }: Conversation, { answers }: Outgoing): Command | undefined {
    const open = Array.from(taken.values()).filter(({ at }) => clock.now() - at < OPEN_MS)
    if (answers !== undefined) return open.find(({ message }) => message === answers)
    return open
      .filter(({ conversation, answeredAt }) => conversation === id && clock.now() - answeredAt < REST_MS)
      .sort((one, other) => other.answeredAt - one.answeredAt)[0]
  }

  /** A command that another process has received. */
  async function fromElsewhere({ id: conversation }: Conversation, { answers }: Outgoing): Promise<Command | undefined> {
    const address = answers === undefined ? undefined : await addresses?.find(answers)
    if (answers === undefined || address === undefined) return undefined
    return remember(answers, { message: answers, conversation, address, at: clock.now(), answeredAt: 0 })
  }

  return {
    async answer(conversation, message) {
      const command = commandFor(conversation, message) ?? (await fromElsewhere(conversation, message))
      if (!command) return undefined
      return async (text, signal) => {
        await show(command.address, { response_type: 'in_channel', text }, signal)
        command.answeredAt = clock.now()
        await drop([command.message])
      }
    },

    async after({ conversation, messages }, { outcome }) {
      // Another turn follows, or another process runs it.
      if (conversation.platform !== 'slack' || outcome === 'delayed' || outcome === 'cancelled') return
      const ids = messages.flatMap(({ id, addressed }) => (addressed === 'mention' && !isTimestamp(id) ? [id] : []))
      if (ids.length > 0) await drop(ids)
    },
  }
}
