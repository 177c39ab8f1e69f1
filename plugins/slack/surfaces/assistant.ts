/**
 * The assistant pane: a direct conversation with the bot beside a channel. Its messages are direct messages in a thread.
 * https://docs.slack.dev/ai/developing-agents
 */
import type { App as BoltApp } from '@slack/bolt'
import { type PluginHooks, RecentMap } from 'kikimimi'
import type { PlatformContext } from 'kikimimi/platform'
import { workspaceOf } from '../connection/bolt-app.ts'
import { nodesIn, textIn } from '../messages/nodes.ts'
import { texts } from '../texts.ts'
import { refusalOf } from '../web-api/calls.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** An open pane. */
interface Pane {
  /** The name of the channel that the person looks at. */
  lookingAt?: string
  isTitled: boolean
}

/** Largest number of panes that are remembered. */
const PANES = 1_000

/** Longest title of a thread. */
const TITLE = 60

/** Time limit of one call, in milliseconds. */
const LIMIT = 10_000

export interface Assistant {
  /** Tells the responders which channel the person looks at. */
  readonly context: NonNullable<PluginHooks['context']>
}

export function listenToAssistant(bolt: BoltApp, ctx: Pick<PlatformContext, 'bot' | 'log'>): Assistant {
  const say = texts(ctx.bot.locale)
  const panes = new RecentMap<Pane>(PANES)
  let isPossible = true

  function remember(key: string, pane: Pane): Pane {
    panes.set(key, pane)
    return pane
  }

  /** A pane works without prompts and titles. */
  async function attempt({ calls }: Workspace, method: string, run: Parameters<Workspace['calls']['call']>[1]): Promise<void> {
    if (!isPossible) return
    try {
      await calls.call(method, run, { signal: AbortSignal.timeout(LIMIT), tries: 2 })
    } catch (error) {
      const code = refusalOf(error)
      if (code !== 'missing_scope' && code !== 'unknown_method') return ctx.log.debug(`${method} failed`, { why: code })
      isPossible = false
      ctx.log.info(`the assistant pane has no prompts and no titles: Slack returned ${code}; add the scope assistant:write`)
    }
  }

  /** The name of the channel that a person looks at. Nothing for one that the bot cannot see. */
  async function lookedAt({ names }: Workspace, context: unknown): Promise<string | undefined> {
    const [{ channel_id } = {}] = nodesIn([context])
    const channel = textIn(channel_id)
    if (!/^[CG]/.test(channel)) return undefined
    const { name } = await names.place(channel)
    return name === channel ? undefined : name
  }

  async function look(workspace: Workspace, thread: unknown): Promise<{ channel: string; ts: string; pane: Pane }> {
    const [{ channel_id, thread_ts, context } = {}] = nodesIn([thread])
    const [channel, ts] = [textIn(channel_id), textIn(thread_ts)]
    const key = keyOf(workspace.account.team, channel, ts)
    const { lookingAt: _, ...before } = panes.get(key) ?? { isTitled: false }
    const lookingAt = await lookedAt(workspace, context).catch(() => undefined)
    return { channel, ts, pane: remember(key, { ...before, ...(lookingAt !== undefined && { lookingAt }) }) }
  }

  bolt.event('assistant_thread_started', async ({ event, context }) => {
    const workspace = workspaceOf(context)
    const { channel, ts, pane } = await look(workspace, event.assistant_thread)
    const prompts = [...(pane.lookingAt === undefined ? [] : ['channel' as const]), 'missed' as const, 'know' as const].map(
      key => ({
        title: say(`prompt.${key}`),
        message: say(`prompt.${key}.message`, { channel: pane.lookingAt ?? '' }),
      }),
    )
    const [first, ...rest] = prompts
    if (!first) return
    const wanted = { channel_id: channel, thread_ts: ts, prompts: [first, ...rest] as [typeof first, ...typeof rest] }
    await attempt(workspace, 'assistant.threads.setSuggestedPrompts', client =>
      client.assistant.threads.setSuggestedPrompts(wanted),
    )
  })

  bolt.event('assistant_thread_context_changed', async ({ event, context }) => {
    await look(workspaceOf(context), event.assistant_thread)
  })

  bolt.message(async ({ event, context }) => {
    const workspace = workspaceOf(context)
    const [{ channel, thread_ts, text, user }] = nodesIn([event]) as [Record<string, unknown>]
    const [id, ts, question] = [textIn(channel), textIn(thread_ts), textIn(text).trim()]
    const pane = panes.get(keyOf(workspace.account.team, id, ts))
    if (!pane || pane.isTitled || question === '' || user === workspace.account.user) return
    pane.isTitled = true
    const title = question.length > TITLE ? `${question.slice(0, TITLE - 1)}…` : question
    void attempt(workspace, 'assistant.threads.setTitle', client =>
      client.assistant.threads.setTitle({ channel_id: id, thread_ts: ts, title }),
    )
  })

  return {
    context({ conversation: { platform, workspace, channel, thread } }) {
      const pane = platform === 'slack' && thread !== undefined ? panes.get(keyOf(workspace, channel, thread)) : undefined
      if (pane?.lookingAt === undefined) return undefined
      return { place: 'whereabouts', title: say('pane.title'), text: say('pane.text', { channel: pane.lookingAt }) }
    },
  }
}

const keyOf = (team: string, channel: string, thread: string) => `${team}/${channel}/${thread}`
