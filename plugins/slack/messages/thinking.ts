/** "is thinking…", the nearest thing to typing that an app has: https://docs.slack.dev/reference/methods/assistant.threads.setStatus */
import type { Conversation, PlatformContext } from 'kikimimi'
import { texts } from '../texts.ts'
import { type Calls, refusalOf } from '../web-api/calls.ts'
import { isTimestamp } from './incoming.ts'

export interface Thinking {
  /** Under which message people see it: the thread's first, or else the one that was said last. */
  heard(conversation: string, ts: string): void
  begin(conversation: Conversation, signal: AbortSignal): Promise<() => void>
  /** Ends all of it; resolves when nobody sees the bot think any more. */
  end(): Promise<void>
}

export interface ThinkingOptions {
  readonly ctx: Pick<PlatformContext, 'history' | 'log' | 'locale'>
  readonly calls: Calls
  /** Aborted when the bot waits for nothing any more. */
  readonly signal: AbortSignal
}

const CONVERSATIONS = 1_000

/** Workspaces and places where there is no such thing. */
const NOWHERE = new Set(['missing_scope', 'unknown_method', 'not_allowed_token_type'])
const NOT_HERE = 'method_not_supported_for_channel_type'

export function createThinking({ ctx: { history, log, locale }, calls, signal: stopping }: ThinkingOptions): Thinking {
  const latest = new Map<string, string>()
  /** How to end what was begun. */
  const begun = new Set<() => void>()
  const ending = new Set<Promise<void>>()
  const text = texts(locale)('thinking')
  let isPossible = true
  const without = new Set<string>()

  async function set(channel: string, thread: string, status: string, how: { signal: AbortSignal; tries: number }) {
    const target = { channel_id: channel, thread_ts: thread, status }
    try {
      await calls.call('assistant.threads.setStatus', client => client.assistant.threads.setStatus(target), how)
    } catch (error) {
      const code = refusalOf(error)
      if (code !== undefined && NOWHERE.has(code) && isPossible) {
        isPossible = false
        log.info(`nobody will see the bot think: Slack says ${code}`)
      }
      if (code === NOT_HERE) {
        without.add(channel)
        if (without.size > CONVERSATIONS) without.delete(without.keys().next().value ?? '')
      }
      log.debug('the thinking status could not be set', { why: code })
    }
  }

  /** Another process may have heard it. */
  async function lastSaid(conversation: Conversation): Promise<string | undefined> {
    const said = (await history(conversation, 1)).at(-1)
    return said && !said.own && isTimestamp(said.id) ? said.id : undefined
  }

  return {
    heard(conversation, ts) {
      latest.delete(conversation)
      latest.set(conversation, ts)
      if (latest.size > CONVERSATIONS) latest.delete(latest.keys().next().value ?? '')
    },

    async begin(conversation, signal) {
      const { id, channel } = conversation
      if (!isPossible || without.has(channel)) return () => {}
      const thread = conversation.thread ?? latest.get(id) ?? (await lastSaid(conversation))
      if (thread === undefined || signal.aborted) return () => {}
      const shown = set(channel, thread, text, { signal, tries: 1 })
      const end = () => {
        if (!begun.delete(end)) return
        // After the beginning, however late that is; and whatever happened to the turn.
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
