import {
  type Context,
  type Conversation,
  type Job,
  KikimimiError,
  type Message,
  type PluginContext,
  type Reply,
  type Silence,
  type Turn,
} from 'kikimimi'
import { createAnswer } from './answer.ts'
import type { DeciderDeps } from './decide.ts'
import { isAnyForgotten } from './forget.ts'
import type { Options } from './options.ts'
import { EXCERPT_MESSAGES, REMEMBERED_MS } from './past.ts'
import { talksIn } from './talks.ts'

/** How long after an intervention its effect is counted. */
const EFFECT_MS = 10 * 60_000

/** Characters kept of each message of an excerpt. */
const EXCERPT_LENGTH = 200

/** The data of the job that counts the effect of an intervention. */
export interface Counted {
  readonly turn: string
  readonly conversation: Conversation
}

/** Returns the function that intervenes. Every error means silence, because nobody waits for an answer. */
export function createResponder(
  ctx: PluginContext,
  options: Options,
  { interventions, plans, counting }: Omit<DeciderDeps, 'judge'> & { readonly counting: Job<Counted> },
) {
  const answer = createAnswer(ctx)

  async function stepIn(turn: Turn, context: Context): Promise<Reply | Silence> {
    const { id, conversation, history, message } = turn
    const seen = history.slice(-options.bufferSize)
    const talks = talksIn(seen)
    const plan = await plans.find(conversation.id)
    const about = (wanted: string | undefined) => talks.find(talk => talk.some(one => one.id === wanted))
    const talk = about(plan?.message) ?? about(message.id) ?? seen

    const past = await interventions.since(conversation.id, new Date(ctx.clock.now() - REMEMBERED_MS))
    const text = await answer(turn, talk, past, context)
    turn.signal.throwIfAborted()

    const at = new Date(ctx.clock.now())
    const intervention = {
      turn: id,
      at,
      state: plan?.state ?? 'ACTIVE',
      talk: excerptOf(talk),
      answer: text,
      people: [...new Set(talk.filter(({ own }) => !own).map(({ author }) => author.id))],
    }
    const isKept = await ctx.db.transaction(async () => {
      // A message that was just deleted must not be stored again.
      if (await isAnyForgotten(ctx.db, conversation.platform, intervention.people)) return false
      await interventions.record(conversation.id, intervention)
      const due = new Date(at.getTime() + EFFECT_MS)
      await counting.schedule({ turn: id, conversation }, { at: due, key: id })
      return true
    })
    if (!isKept) return { kind: 'silent', why: 'somebody in the talk is being forgotten' }
    // If there are several conversations, the answer quotes its own.
    const quoted = talks.length > 1 ? talk.findLast(({ own }) => !own) : undefined
    return { kind: 'text', text, ...(quoted && { replyTo: quoted.id }) }
  }

  return async (turn: Turn, context: Context): Promise<Reply | Silence> => {
    try {
      return await stepIn(turn, context)
    } catch (error) {
      turn.signal.throwIfAborted()
      const why = `could not step in: ${error instanceof KikimimiError ? error.message : 'an unexpected error'}`
      ctx.log.warn(why, {
        turn: turn.id,
        conversation: turn.conversation.id,
        ...(error instanceof Error && { error: error.name }),
      })
      return { kind: 'silent', why }
    }
  }
}

/** The last messages, with their first characters. */
function excerptOf(talk: readonly Message[]): readonly Message[] {
  return talk.slice(-EXCERPT_MESSAGES).map(message => ({ ...message, text: [...message.text].slice(0, EXCERPT_LENGTH).join('') }))
}
