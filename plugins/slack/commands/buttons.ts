/** Buttons under answers of the bot, and the menu of messages. Only the person who used it sees the response. */
import type { App as BoltApp } from '@slack/bolt'
import type { PlatformContext } from 'kikimimi/platform'
import { workspaceOf } from '../connection/bolt-app.ts'
import { BUTTON, FEEDBACK } from '../messages/buttons.ts'
import { toMrkdwn } from '../messages/mrkdwn.ts'
import { nodesIn, textIn } from '../messages/nodes.ts'
import { texts } from '../texts.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { show } from './response.ts'

/** Time limit for showing the response, in milliseconds. */
const ANSWER_MS = 10_000

export function listenToButtons(bolt: BoltApp, ctx: Pick<PlatformContext, 'bot' | 'command' | 'log'>): void {
  async function take({ names, incoming }: Workspace, press: Press | undefined): Promise<void> {
    if (!press) return
    const { user, channel, thread, message, command, address } = press
    const [person, conversation] = await Promise.all([
      names.person(user),
      incoming.conversation(thread === '' ? {} : { thread_ts: thread }, channel),
    ])
    const moderator = () => names.moderates(user, channel)
    const admin = () => names.administers(user, channel)
    // The name alone: a text after it would make it a message to the bot.
    const answer = ctx.command({ conversation, person, text: command, message, moderator, admin })
    // Not awaited: a press that Slack delivers again would run again.
    void (answer ?? Promise.resolve(texts(ctx.bot.locale)('command.gone', { name: command })))
      .then(text =>
        show(
          address,
          { response_type: 'ephemeral', replace_original: false, text: toMrkdwn(text) },
          AbortSignal.timeout(ANSWER_MS),
        ),
      )
      .catch((error: unknown) => ctx.log.debug('the response to a button could not be shown', { error }))
  }

  bolt.action(new RegExp(`^${BUTTON}`), async ({ body, action, context, ack }) => {
    await ack()
    await take(workspaceOf(context), pressIn(body, action))
  })
  bolt.shortcut(new RegExp(`^${BUTTON}`), async ({ body, context, ack }) => {
    await ack()
    await take(workspaceOf(context), shortcutIn(body))
  })
}

interface Press {
  readonly user: string
  readonly channel: string
  readonly thread: string
  readonly message: string
  readonly command: string
  readonly address: string
}

/** Nothing for a press that is not of an answer, or not as Slack sends it. */
function pressIn(body: unknown, action: unknown): Press | undefined {
  const [{ user, channel, container, response_url } = {}] = nodesIn([body])
  const [{ action_id, value } = {}] = nodesIn([action])
  const [{ id: userId } = {}] = nodesIn([user])
  const [{ id: channelId } = {}] = nodesIn([channel])
  const [{ message_ts, thread_ts } = {}] = nodesIn([container])
  const id = textIn(action_id)
  const press = {
    user: textIn(userId),
    channel: textIn(channelId),
    thread: textIn(thread_ts),
    message: textIn(message_ts),
    command: id === FEEDBACK ? textIn(value) : id.slice(BUTTON.length),
    address: textIn(response_url),
  }
  return whole(press)
}

/** The use of the menu of a message. https://docs.slack.dev/interactivity/implementing-shortcuts#messages */
function shortcutIn(body: unknown): Press | undefined {
  const [{ user, channel, message, callback_id, response_url } = {}] = nodesIn([body])
  const [{ id: userId } = {}] = nodesIn([user])
  const [{ id: channelId } = {}] = nodesIn([channel])
  const [{ ts, thread_ts } = {}] = nodesIn([message])
  return whole({
    user: textIn(userId),
    channel: textIn(channelId),
    thread: textIn(thread_ts),
    message: textIn(ts),
    command: textIn(callback_id).slice(BUTTON.length),
    address: textIn(response_url),
  })
}

function whole(press: Press): Press | undefined {
  const isWhole = press.user && press.channel && press.message && /^[\w-]+$/.test(press.command)
  return isWhole ? press : undefined
}
