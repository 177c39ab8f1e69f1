/**
 * The status "is thinking…", the closest to typing for an app:
 * https://docs.slack.dev/reference/methods/assistant.threads.setStatus
 */
import { type Conversation, RecentMap } from 'kikimimi'
import type { PlatformContext } from 'kikimimi/platform'
import { texts } from '../texts.ts'
import { type Calls, refusalOf } from '../web-api/calls.ts'
import { isTimestamp } from './incoming.ts'

export interface Thinking {
  /** The message under which the status is shown: the first one of the thread, or else the last one of the channel. */
  heard(conversation: string, ts: string): void
  begin(conversation: Conversation, signal: AbortSignal): Promise<() => void>
  /** Ends all statuses. Resolves when none is shown. */
  end(): Promise<void>
}

export interface ThinkingOptions {
  readonly ctx: Pick<PlatformContext, 'bot' | 'history' | 'log'>
  readonly calls: Calls
  /** Aborted when the bot stops waiting. */
  readonly signal: AbortSignal
}

const CONVERSATIONS = 1_000

/** Errors of workspaces and places without this status. */
const NOWHERE = new Set(['missing_scope', 'unknown_method', 'not_allowed_token_type'])
const NOT_HERE = 'method_not_supported_for_channel_type'

export function createThinking({ ctx: { history, log, bot }, calls, signal: stopping }: ThinkingOptions): Thinking {
  const latest = new RecentMap<string>(CONVERSATIONS)
  /** Functions that end the running statuses. */
  const begun = new Set<() => void>()
  const ending = new Set<Promise<void>>()
  const text = texts(bot.locale)('thinking')
  let isPossible = true
  const without = new RecentMap<true>(CONVERSATIONS)

  async function set(channel: string, thread: string, status: string, how: { signal: AbortSignal; tries: number }) {
    const target = { channel_id: channel, thread_ts: thread, status }
    try {
      await calls.call('assistant.threads.setStatus', client => client.assistant.threads.setStatus(target), how)
    } catch (error) {
      const code = refusalOf(error)
      if (code !== undefined && NOWHERE.has(code) && isPossible) {
        isPossible = false
        log.info(`the thinking status is not available: Slack returned ${code}`)
      }
      if (code === NOT_HERE) {
        without.set(channel, true)
      }
      log.debug('the thinking status could not be set', { why: code })
    }
  }

  /** Another process may have received it. */
  async function lastSaid(conversation: Conversation): Promise<string | undefined> {
    const said = (await history(conversation, 1)).at(-1)
    return said && !said.own && isTimestamp(said.id) ? said.id : undefined
  }

  return {
    heard(conversation, ts) {
      latest.set(conversation, ts)
    },

    async begin(conversation, signal) {
      const { id, channel } = conversation
      if (!isPossible || without.has(channel)) return () => {}
      const thread = conversation.thread ?? latest.get(id) ?? (await lastSaid(conversation))
      if (thread === undefined || signal.aborted) return () => {}
      const shown = set(channel, thread, text, { signal, tries: 1 })
      const end = () => {
        if (!begun.delete(end)) return
        // After the start, however late it is, and independent of the turn's outcome.
        const hidden = shown
          .then(() => set(channel, thread, '', { signal: stopping, tries: 4 }))
          .finally(() => ending.delete(hidden))
        ending.add(hidden)
      }
      begun.add(end)
      return end
    },

    async end() {
      for (const end of begun) end()
      await Promise.all(ending)
    },
  }
}
