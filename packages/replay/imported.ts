/** When this bot would have spoken in an exported channel that it has never heard. */
import { KikimimiError, type Person } from 'kikimimi'
import { asItself, type Common } from './as-itself.ts'
import { CONTEXT } from './database-log.ts'
import type { ChatLog, LogLine } from './logs/chat-log.ts'
import type { ImportReplay, ImportRequest } from './request.ts'

/** @throws REPLAY_NOTHING for a channel that the export does not have */
export async function replayImported(
  lines: readonly LogLine[],
  me: Person,
  { channel: wanted, limit, progress }: Pick<ImportRequest, 'channel' | 'limit' | 'progress'>,
  common: Omit<Common, 'progress'>,
): Promise<Omit<ImportReplay, 'leftOut'>> {
  const channels = channelsIn(lines)
  const chosen = wanted === undefined ? channels[0] : channels.find(({ name }) => name === wanted)
  if (!chosen) throw new KikimimiError('REPLAY_NOTHING', `The export has no channel "${wanted}".`)
  const heard = lines.filter(line => channelOf(line) === chosen.name).slice(-limit - CONTEXT)
  const begin = heard.length - limit
  const replayed = heard.map((line, index): LogLine => ({ ...line, context: index < begin }))
  let done = 0
  const log: ChatLog = { name: chosen.name, lines: () => replayed }
  const { turns } = await asItself(
    log,
    { me, recorded: new Map() },
    { ...common, progress: () => progress?.(++done / replayed.length) },
  )
  const counted = replayed.filter(({ context }) => !context)
  const [first, last] = [counted.at(0), counted.at(-1)]
  if (!first || !last) throw new KikimimiError('REPLAY_NOTHING', `The channel "${chosen.name}" has no messages.`)
  const counts = { silent: 0, react: 0, asked: 0, ack: 0, full: 0 }
  for (const { kind } of new Set(turns.values())) counts[kind]++
  return {
    ...{ channels, channel: chosen.name, messages: counted.length, from: first.at, to: last.at, turns: counts },
    spoken: counted.flatMap(({ id, at, author, text }) => {
      const turn = turns.get(id)
      if (!turn || turn.answers !== id || turn.kind === 'silent') return []
      const { kind, why, points } = turn
      return [{ at, author: author.name, text, kind, why, ...(points !== undefined && { points }) }]
    }),
  }
}

function channelsIn(lines: readonly LogLine[]): ImportReplay['channels'] {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(channelOf(line), (counts.get(channelOf(line)) ?? 0) + 1)
  return Array.from(counts, ([name, messages]) => ({ name, messages })).sort((one, other) => other.messages - one.messages)
}

/** Threads of Slack are channels of their own: `general/1767603600.000100`. */
function channelOf({ channel }: LogLine): string {
  return channel.replace(/\/\d+\.\d+$/, '')
}
