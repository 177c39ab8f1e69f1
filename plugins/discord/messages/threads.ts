/** Threads for long answers. */
import { type APIThreadChannel, type REST, Routes } from 'discord.js'
import type { Conversation, Logger } from 'kikimimi'
import type { Outgoing } from 'kikimimi/platform'
import type { Calls } from '../rest/calls.ts'
import { hasThread, isRefused, sentence } from '../rest/errors.ts'

export interface Threads {
  /**
   * The thread on the question of an answer of several messages, which is opened if there is none. Undefined where the answer is posted
   * in the channel: it is short, the place has no threads, or the bot may not open any. Rejects when Discord cannot be reached.
   */
  forAnswer(conversation: Conversation, message: Outgoing, signal: AbortSignal): Promise<string | undefined>
}

export interface ThreadsOptions {
  readonly call: Calls
  readonly rest: REST
  readonly log: Logger
  /** The name of a thread whose answer gives none. */
  title(conversation: Conversation): string
}

/** Discord allows 100 characters. The list of threads shows fewer. */
const NAME = 60

export function createThreads({ call, rest, log, title }: ThreadsOptions): Threads {
  return {
    async forAnswer(conversation, { text, answers, hasMore }, signal) {
      const { channel, thread, visibility } = conversation
      if (!hasMore || answers === undefined || thread !== undefined || visibility === 'direct') return undefined
      const body = { name: nameOf(text) || title(conversation) }
      try {
        const route = Routes.threads(channel, answers)
        const opened = await call(inTime => rest.post(route, { body, signal: inTime }) as Promise<APIThreadChannel>, signal)
        return opened.id
      } catch (error) {
        // A thread on a message has the id of the message.
        if (hasThread(error)) return answers
        if (!isRefused(error)) throw error
        log.debug(`a long answer is posted without a thread: ${sentence(error)}`)
        return undefined
      }
    },
  }
}

/** The first line with words, without markup. */
function nameOf(text: string): string {
  const lines = text.split('\n', 10).map(line => line.replace(/<[^<>]*>|[*_~`|#>]+/g, '').trim())
  const found = [...(lines.find(line => /[\p{L}\p{N}]/u.test(line)) ?? '')]
  return found.length > NAME
    ? `${found
        .slice(0, NAME - 1)
        .join('')
        .trimEnd()}…`
    : found.join('')
}
