/** Carries out orders, answers each once, and ensures that the follow-up work is done. */
import { channelOf, type Job, type Message, type PluginContext, type Turn } from 'kikimimi'
import type { Finishing } from './finish.ts'
import type { Obey, Obeyed, Told } from './obey.ts'
import { readOrder } from './orders.ts'

/** After this time an order was answered, or its turn ended with the process. */
const ANSWERED_BY_THEN = 60_000

export interface Carrying {
  /** Carries out the order. The caller sends the answer; {@link over} does the follow-up work. */
  carry(turn: Turn, message: Message, told: Told): Promise<Obeyed>
  /** Called at the end of the turn. */
  over(
    turn: Turn,
    obeyed: Obeyed | undefined,
    how: {
      /** When the turn began, if it was cancelled. */ readonly cancelled: Date | undefined
      readonly sent: readonly string[]
    },
  ): Promise<void>
}

export interface CarryingDeps {
  readonly ctx: Pick<PluginContext, 'clock' | 'db' | 'send'>
  readonly obey: Obey
  readonly finishing: Job<Finishing>
}

export function createCarrying({ ctx, obey, finishing }: CarryingDeps): Carrying {
  async function carry(turn: Turn, message: Message, told: Told): Promise<Obeyed> {
    const obeyed = await obey(turn, message, told)
    // A job, so that a crash does not lose the follow-up work.
    const at = new Date(ctx.clock.now() + ANSWERED_BY_THEN)
    if (obeyed.finish) await finishing.schedule({ finish: obeyed.finish, sent: [] }, { at, key: keyOf(turn, message) })
    return obeyed
  }

  async function finish(turn: Turn, message: Message, { finish }: Obeyed, sent: readonly string[]): Promise<void> {
    if (finish) await finishing.schedule({ finish, sent }, { key: keyOf(turn, message) })
  }

  /** The answer was not sent, because the message was edited or deleted. */
  async function takenBack(turn: Turn, obeyed: Obeyed | undefined, began: Date): Promise<void> {
    const { conversation, message } = turn
    const { rows } = await ctx.db.query<{ isEdited: boolean }>(
      `select coalesce(edited_at >= $3, false) as "isEdited" from kikimimi_v1.message where channel = $1 and id = $2 and deleted_at is null`,
      [channelOf(conversation), message.id, began],
    )
    const [now] = rows
    if (now?.isEdited) return finishing.cancel(keyOf(turn, message))
    const told = now ? undefined : readOrder(message.text, [...turn.persona.names, turn.me.name])
    if (!told || told.isUnsure || (told.kind !== 'forget-me' && told.kind !== 'opt-out'))
      return obeyed && finish(turn, message, obeyed, [])
    // A person who opts out and then deletes the order still wants to opt out.
    const wanted = obeyed ?? (await carry(turn, message, told))
    // The words of the bot alone: the order is gone.
    const sent = await ctx.send(conversation, { kind: 'text', text: wanted.text }, { sources: 'none' })
    await finish(turn, message, wanted, sent)
  }

  return {
    carry,

    async over(turn, obeyed, { cancelled, sent }) {
      if (cancelled) await takenBack(turn, obeyed, cancelled)
      else if (obeyed) await finish(turn, turn.message, obeyed, sent)
    },
  }
}

function keyOf({ conversation }: Turn, { id }: Message): string {
  return `${conversation.id}\n${id}`
}
