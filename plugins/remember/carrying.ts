/** Carries orders out, answers them once, and sees to it that what has to follow does. */
import type { Job, Message, PluginContext, Turn } from 'kikimimi'
import type { Answered } from './answered.ts'
import type { Finishing } from './finish.ts'
import type { Listening } from './listening.ts'
import type { Obey, Obeyed, Told } from './obey.ts'
import { readOrder } from './orders.ts'

/** By then an order was answered, or its turn died with the process. */
const ANSWERED_BY_THEN = 60_000

/** Messages that are looked through for one that may be gone. */
const LOOKED_THROUGH = 200

export interface Carrying {
  /** Carries the order out. What it says is up to the caller, and what follows up to {@link over}. */
  carry(turn: Turn, message: Message, told: Told): Promise<Obeyed>
  /** An order that came before somebody else called: the turn answers them. */
  answerBeside(turn: Turn, message: Message): Promise<void>
  /** The turn is over. */
  over(
    turn: Turn,
    obeyed: Obeyed | undefined,
    how: { readonly cancelled: boolean; readonly sent: readonly string[] },
  ): Promise<void>
}

export interface CarryingDeps {
  readonly ctx: Pick<PluginContext, 'clock' | 'history' | 'persona' | 'send'>
  readonly listening: Listening
  readonly answered: Answered
  readonly obey: Obey
  readonly finishing: Job<Finishing>
}

export function createCarrying({ ctx, listening, answered, obey, finishing }: CarryingDeps): Carrying {
  async function carry(turn: Turn, message: Message, told: Told): Promise<Obeyed> {
    const obeyed = await obey(turn, message, told)
    // Even when the bot dies now.
    const at = new Date(ctx.clock.now() + ANSWERED_BY_THEN)
    if (obeyed.finish) await finishing.schedule({ finish: obeyed.finish, sent: [] }, { at, key: keyOf(turn, message) })
    return obeyed
  }

  async function finish(turn: Turn, message: Message, { finish }: Obeyed, sent: readonly string[]): Promise<void> {
    if (finish) await finishing.schedule({ finish, sent }, { key: keyOf(turn, message) })
  }

  /** The answer was not sent: the message says something else now, or is gone. */
  async function takenBack(turn: Turn, obeyed: Obeyed | undefined): Promise<void> {
    const { conversation, message } = turn
    const now = (await ctx.history(conversation, LOOKED_THROUGH)).find(({ id }) => id === message.id)
    if (now && now.text !== message.text) return finishing.cancel(keyOf(turn, message))
    const told = now ? undefined : readOrder(message.text, [...ctx.persona.names, turn.me.name])
    if (told?.kind !== 'forget-me' && told?.kind !== 'opt-out') return obeyed && finish(turn, message, obeyed, [])
    // Who wants to leave no trace takes back that wish too, and means it.
    const wanted = obeyed ?? (await carry(turn, message, told))
    const sent = await ctx.send(conversation, { kind: 'text', text: wanted.text })
    await finish(turn, message, wanted, sent)
  }

  return {
    carry,

    async answerBeside(turn, message) {
      const told = await listening.toldIn(turn, message)
      if (!told || (await answered.has(turn.conversation, message.id))) return
      const obeyed = await carry(turn, message, told)
      if (!(await answered.take(turn.conversation, message.id))) return
      // A quotation may open a thread, where nobody would be waited for to choose.
      const replyTo = obeyed.finish?.kind !== 'asked' && { replyTo: message.id }
      const sent = await ctx.send(turn.conversation, { kind: 'text', text: obeyed.text, ...replyTo })
      await finish(turn, message, obeyed, sent)
    },

    async over(turn, obeyed, { cancelled, sent }) {
      if (cancelled) await takenBack(turn, obeyed)
      else if (obeyed) await finish(turn, turn.message, obeyed, sent)
    },
  }
}

function keyOf({ conversation }: Turn, { id }: Message): string {
  return `${conversation.id}\n${id}`
}
