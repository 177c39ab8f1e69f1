/**
 * The Home tab of the app: what the bot knows about the person, and buttons for the chat commands about it. Each section is there when
 * its command is. https://docs.slack.dev/surfaces/app-home
 */
import type { App as BoltApp, types } from '@slack/bolt'
import { splitText } from 'kikimimi'
import { ChatCommands, type GivenCommand, type PlatformContext } from 'kikimimi/platform'
import { workspaceOf } from '../connection/bolt-app.ts'
import { toMrkdwn } from '../messages/mrkdwn.ts'
import { nodesIn, textIn } from '../messages/nodes.ts'
import { texts } from '../texts.ts'
import { refusalOf } from '../web-api/calls.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { chosenIn, settingsFields } from './settings.ts'

/** Begins the action id of each button of the Home tab. The name of its command follows. */
const ACTION = 'home:'

/** The form that asks how long the bot is quiet. */
const QUIET = `${ACTION}quiet`

/** The form that changes an option. */
const SETTINGS = `${ACTION}settings`

/** Commands with a button, if the bot has them. */
const COMMANDS = ['quiet', 'talk', 'opt-out', 'opt-in', 'forget-me', 'settings'] as const

/** They delete what cannot be restored, so Slack asks first. */
const isFinal = (name: string): name is 'opt-out' | 'forget-me' => name === 'opt-out' || name === 'forget-me'

/** The command whose answer the tab shows. */
const KNOWLEDGE = 'what-do-you-know-about-me'

const SECTION = 3_000
const SECTIONS = 20
/** Time limit of one call, in milliseconds. */
const LIMIT = 10_000

interface Visit {
  readonly workspace: Workspace
  readonly user: string
  /** The direct conversation of the person and the bot. */
  readonly channel: string
}

export function listenToHome(bolt: BoltApp, ctx: Pick<PlatformContext, 'bot' | 'command' | 'log' | 'use'>): void {
  const say = texts(ctx.bot.locale)
  const has = (command: string) => ctx.use(ChatCommands).all.some(({ name }) => name === command)

  /** A command as the person would give it in the direct conversation, or in a channel. */
  async function given(
    { workspace: { names, incoming }, user, channel }: Visit,
    text: string,
    where = channel,
  ): Promise<GivenCommand> {
    const type = where === channel ? 'im' : undefined
    const [person, conversation] = await Promise.all([names.person(user), incoming.conversation({}, where, type)])
    const moderator = () => where === channel || names.moderates(user, where)
    return { conversation, person, text, moderator, admin: () => names.administers(user, where) }
  }

  const run = async (visit: Visit, text: string, where?: string) => ctx.command(await given(visit, text, where))

  /** Whether the person administers the workspace. */
  async function isAdmin({ workspace: { names }, user }: Visit): Promise<boolean> {
    await names.person(user)
    return names.administers(user)
  }

  /** @param told the answer to the command that the person has just given */
  async function publish(visit: Visit, told?: string): Promise<void> {
    const known = has(KNOWLEDGE) ? await run(visit, KNOWLEDGE) : undefined
    const view = {
      type: 'home' as const,
      private_metadata: visit.channel,
      blocks: [
        ...(told === undefined ? [] : [...sections(told), { type: 'divider' as const }]),
        ...sections(say('home.about')),
        ...(known === undefined ? [] : [header(say('home.knows')), ...sections(known)]),
        ...buttons(await isAdmin(visit)),
      ],
    }
    await attempt(visit, 'views.publish', client => client.views.publish({ user_id: visit.user, view }))
  }

  async function attempt({ workspace: { calls } }: Visit, method: string, call: Parameters<Workspace['calls']['call']>[1]) {
    try {
      await calls.call(method, call, { signal: AbortSignal.timeout(LIMIT), tries: 2 })
    } catch (error) {
      ctx.log.info('the Home tab could not be shown', { why: refusalOf(error) ?? 'no answer' })
    }
  }

  function buttons(isAdmin: boolean): types.KnownBlock[] {
    const shown = COMMANDS.filter(name => has(name) && (name !== 'settings' || isAdmin))
    const elements = shown.map(name => ({
      type: 'button' as const,
      action_id: `${ACTION}${name}`,
      text: { type: 'plain_text' as const, text: say(`home.${name}`) },
      ...(isFinal(name) && {
        style: 'danger' as const,
        confirm: {
          title: { type: 'plain_text' as const, text: say(`home.${name}`) },
          text: { type: 'plain_text' as const, text: say(`home.${name}.sure`) },
          confirm: { type: 'plain_text' as const, text: say(`home.${name}`) },
          deny: { type: 'plain_text' as const, text: say('home.cancel') },
        },
      }),
    }))
    return elements.length > 0 ? [{ type: 'divider' }, { type: 'actions', elements }] : []
  }

  /** Asks for how long, or for an option and its value. */
  const form = (name: 'quiet' | 'settings', channel: string, blocks: types.KnownBlock[]) => ({
    type: 'modal' as const,
    callback_id: `${ACTION}${name}`,
    private_metadata: channel,
    title: { type: 'plain_text' as const, text: say(`home.${name}`) },
    submit: { type: 'plain_text' as const, text: say(name === 'quiet' ? 'home.quiet' : 'home.settings.set') },
    close: { type: 'plain_text' as const, text: say('home.cancel') },
    blocks,
  })

  const quietFields: types.KnownBlock[] = [
    {
      type: 'input',
      block_id: 'for',
      label: { type: 'plain_text', text: say('home.quiet.for') },
      element: { type: 'plain_text_input', action_id: 'for', initial_value: '1h', max_length: 40 },
    },
  ]

  async function formOf(name: 'quiet' | 'settings', visit: Visit): Promise<types.ModalView> {
    if (name === 'quiet') return form(name, visit.channel, quietFields)
    const options = await ctx.use(ChatCommands).suggest(await given(visit, 'settings '))
    return form(
      name,
      visit.channel,
      settingsFields(
        say,
        options.filter(option => option !== 'reset'),
      ),
    )
  }

  bolt.event('app_home_opened', async ({ event, context }) => {
    if (event.tab !== 'home') return
    // Not awaited: Slack sends the event again after three seconds.
    void publish({ workspace: workspaceOf(context), user: event.user, channel: event.channel }).catch(failed)
  })

  bolt.action(new RegExp(`^${ACTION}`), async ({ body, action, context, ack }) => {
    await ack()
    const visit = visitIn(workspaceOf(context), body)
    const [{ action_id } = {}] = nodesIn([action])
    const command = textIn(action_id).slice(ACTION.length)
    if (!visit || !COMMANDS.some(name => name === command) || !has(command)) return
    const [{ trigger_id } = {}] = nodesIn([body])
    if (command === 'quiet' || command === 'settings') {
      const opened = { trigger_id: textIn(trigger_id), view: await formOf(command, visit) }
      return attempt(visit, 'views.open', client => client.views.open(opened))
    }
    void run(visit, command)
      .then(told => publish(visit, told))
      .catch(failed)
  })

  bolt.view(QUIET, async ({ body, view, context, ack }) => {
    await ack()
    const visit = visitIn(workspaceOf(context), body)
    const time = textIn(view.state.values.for?.for?.value).trim()
    if (visit && has('quiet'))
      void run(visit, `quiet ${time}`)
        .then(told => publish(visit, told ?? say('home.quiet.unclear', { time })))
        .catch(failed)
  })

  bolt.view(SETTINGS, async ({ body, view, context, ack }) => {
    await ack()
    const visit = visitIn(workspaceOf(context), body)
    const chosen = chosenIn(view.state.values)
    if (visit && chosen && has('settings'))
      void run(visit, chosen.command, chosen.channel)
        .then(told => publish(visit, told))
        .catch(failed)
  })

  const failed = (error: unknown) => ctx.log.info('the Home tab could not be shown', { error })
}

/** Nothing for a press that is not of the Home tab, or not as Slack sends it. */
function visitIn(workspace: Workspace, body: unknown): Visit | undefined {
  const [{ user, view } = {}] = nodesIn([body])
  const [{ id } = {}] = nodesIn([user])
  const [{ private_metadata } = {}] = nodesIn([view])
  const visit = { workspace, user: textIn(id), channel: textIn(private_metadata) }
  return visit.user && /^D\w+$/.test(visit.channel) ? visit : undefined
}

function sections(text: string): types.KnownBlock[] {
  return splitText(toMrkdwn(text), SECTION)
    .slice(0, SECTIONS)
    .map(part => ({ type: 'section', text: { type: 'mrkdwn', text: part } }))
}

const header = (text: string): types.KnownBlock => ({ type: 'header', text: { type: 'plain_text', text } })
