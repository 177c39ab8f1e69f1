import { channelOf, type Message, type MessageLog, type Turn } from 'kikimimi'

export interface Wake {
  /** Time of the first message after the silence. */
  readonly at: Date
  /** Messages of people since then. */
  readonly talk: readonly Message[]
}

/** Number of messages after a silence in which a fact may be brought up. Later the conversation has its own topic. */
const FIRST = 5

/** Messages before. The very last one can be a missed one, which was said earlier than others. */
const LAST = 10

/**
 * The conversation after a silence, if this batch is among its first messages. The history covers half an hour of one
 * conversation. The message log has the rest, also after a restart.
 */
export async function wakeOf(
  log: MessageLog,
  { conversation, history, messages }: Pick<Turn, 'conversation' | 'history' | 'messages'>,
  { silence }: { readonly silence: number },
): Promise<Wake | undefined> {
  const last = messages.at(-1)
  const heard = history.slice(0, history.findIndex(({ id }) => id === last?.id) + 1)
  const begin = heard.findLastIndex((message, at) => {
    const before = heard[at - 1]
    return !before || message.at.getTime() - before.at.getTime() >= silence
  })
  const talk = heard.slice(Math.max(0, begin))
  const [opening] = talk
  // The bot already takes part.
  if (!opening || talk.length > FIRST || talk.some(({ own }) => own)) return undefined
  return (await wasSilent(log, channelOf(conversation), opening.at, silence)) ? { at: opening.at, talk } : undefined
}

/**
 * Whether a channel and all of its threads had messages before, but none for so long: a new thread in a lively channel wakes nothing. A
 * channel without earlier messages was not silent.
 */
async function wasSilent(log: MessageLog, channel: string, at: Date, ms: number): Promise<boolean> {
  const query = { readers: 'operator', channel, until: new Date(at.getTime() - 1), limit: LAST } as const
  const before = await log.read(query)
  return before.length > 0 && before.every(one => at.getTime() - one.at.getTime() >= ms)
}
