/**
 * Questions whether a tool may run. They live in memory alone: a restart ends them, and no call that a person confirmed to an earlier
 * process runs. At most one question for each person and channel is open.
 */
import { type Clock, type Conversation, channelOf, type MessageSource, type PersonKey, type Turn } from 'kikimimi'
import { answerIn } from './language.ts'
import type { McpTool } from './tools/toolbox.ts'

/** How long a question is open, in milliseconds. */
const OPEN_MS = 10 * 60_000

/** The most calls in one question, and characters of their arguments: a person has to read them. */
const CALLS = 5
const LONGEST = 4_000

/** The most open questions of the bot. */
const QUESTIONS = 500

/** A call that waits for its confirmation. */
export interface WaitingCall {
  readonly tool: McpTool
  readonly args: unknown
}

/** A question to the person who asked for the calls. */
export interface Question {
  readonly person: Turn['message']['author']
  readonly conversation: Conversation
  /** The id of the turn that asked for the calls. */
  readonly turn: string
  readonly calls: WaitingCall[]
  readonly until: number
  /** What the arguments were made from. Empty until it is posted. */
  sources: readonly MessageSource[]
  /** The messages with the question. Empty: it was not posted yet. */
  posted: readonly string[]
  /** Others have written since: the answer must be a reply, or address the bot in another way. */
  isFollowed: boolean
}

export interface Questions {
  /** Adds a call to the question of this turn. Returns why it cannot be asked, for the model. */
  add(turn: Turn, call: WaitingCall): string | undefined
  /** The question of a turn, to be posted. */
  of(turn: Turn): Question | undefined
  /** The answer of a message, if its author was asked in this channel. The question stays open. */
  answer(
    conversation: Conversation,
    message: { readonly author: { readonly id: string }; readonly text: string },
    names: readonly string[],
  ): { readonly question: Question; readonly answer: 'yes' | 'no' } | undefined
  /** Somebody writes in the channel. */
  said(conversation: Conversation, author: string): void
  close(question: Question): void
  /** Closes the question that a person was asked in a channel, if there is one. */
  drop(conversation: Conversation, person: string): void
  forget(person: PersonKey): void
}

export function createQuestions(clock: Clock): Questions {
  const open = new Map<string, Question>()
  const keyOf = (conversation: Conversation, person: string) => `${channelOf(conversation)}\n${person}`
  const sweep = () => {
    for (const [key, { until }] of open) if (until <= clock.now()) open.delete(key)
  }

  return {
    add({ id: turn, conversation, message: { author } }, call) {
      sweep()
      if (JSON.stringify(call.args).length > LONGEST) return 'Not run: the arguments are too long for a person to confirm.'
      const key = keyOf(conversation, author.id)
      const known = open.get(key)
      const isSame = known?.turn === turn
      if (isSame && known.calls.length >= CALLS) return 'Not run: there are too many calls to confirm at once.'
      if (!known && open.size >= QUESTIONS) return 'Not run: too many calls wait for a confirmation.'
      if (isSame) known.calls.push(call)
      else {
        const until = clock.now() + OPEN_MS
        open.set(key, { person: author, conversation, turn, calls: [call], until, sources: [], posted: [], isFollowed: false })
      }
      return undefined
    },

    of: ({ id, conversation, message }) => {
      const known = open.get(keyOf(conversation, message.author.id))
      return known?.turn === id ? known : undefined
    },

    answer(conversation, { author, text }, names) {
      if (open.size === 0) return undefined
      const question = open.get(keyOf(conversation, author.id))
      if (!question || question.posted.length === 0 || question.until <= clock.now()) return undefined
      const answer = answerIn(text, names)
      return answer && { question, answer }
    },

    said(conversation, author) {
      if (open.size === 0) return
      const channel = channelOf(conversation)
      for (const question of open.values())
        if (question.person.id !== author && channelOf(question.conversation) === channel) question.isFollowed = true
    },

    close({ conversation, person }) {
      open.delete(keyOf(conversation, person.id))
    },

    drop(conversation, person) {
      const key = keyOf(conversation, person)
      if (open.get(key)?.posted.length) open.delete(key)
    },

    forget({ platform, id }) {
      for (const [key, { conversation, person }] of open)
        if (person.id === id && conversation.platform === platform) open.delete(key)
    },
  }
}

/** Minutes that a question is open, for people. */
export const OPEN_MINUTES = OPEN_MS / 60_000
