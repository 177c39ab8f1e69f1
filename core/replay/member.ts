/** A bot in a member's place: what it hears, what it would have said, and how that compares. */
import type { BotConfig } from '../config.ts'
import type { Reply, Trace, Turn } from '../plugin.ts'
import type { LogLine } from './chat-log.ts'
import { mapPlugins } from './map-plugins.ts'
import type { Sums } from './scores.ts'
import type { Seat } from './seats.ts'

/** Lines in which an answer to one can be found, and a batch can lie. */
const RECENT = 1_000

export interface Scorer {
  heard(line: LogLine): void
  /** @param judged whether a judge was asked */
  took(turn: Turn, trace: Trace, judged: boolean): void
}

export function createScorer({ id: member, answered }: Seat, sums: Sums): Scorer {
  const recent = new Map<string, { readonly author: string; readonly counts: boolean; answered: boolean }>()
  sums.seats++

  return {
    heard({ id, author, context, replyTo }) {
      if (author.id === member) {
        if (!context) sums.own++
        return
      }
      for (const target of replyTo) {
        const line = recent.get(target)
        if (line && line.author !== author.id) line.answered = true
      }
      recent.set(id, { author: author.id, counts: !context, answered: false })
      if (recent.size > RECENT) recent.delete(recent.keys().next().value ?? '')
      if (context) return
      sums.heard++
      if (answered.has(id)) sums.goldMessages++
    },

    took({ messages, message }, { at, outcome, decision, score, addressed }, judged) {
      // Not the last word: what follows takes up the same messages.
      if (outcome === 'delayed' || outcome === 'cancelled') return
      const batch = messages.filter(({ id }) => recent.get(id)?.counts)
      if (batch.length === 0) return
      const goldMessages = batch.filter(({ id }) => answered.has(id)).length
      const is = goldMessages > 0 ? 'gold' : 'other'
      const spoken = decision !== undefined && decision.kind !== 'silent'
      sums[`${is}${spoken ? 'Spoken' : 'Silent'}`]++
      if (spoken || judged) {
        sums.considered++
        sums.coveredMessages += goldMessages
      }
      if (spoken && batch.some(({ id }) => recent.get(id)?.answered)) sums.answeredBefore++
      if (addressed) return
      sums.unasked[is]++
      for (const why of new Set(score?.parts.map(part => part.why))) {
        sums.rules[why] ??= { gold: 0, other: 0 }
        sums.rules[why][is]++
      }
      if (!spoken) return
      const tenths = Math.round((at.getTime() - message.at.getTime()) / 100)
      sums.waits[tenths] = (sums.waits[tenths] ?? 0) + 1
    },
  }
}

/**
 * The bot under the member's name. Its answers are made, for what they cost, and go nowhere: its past are the
 * member's own lines.
 *
 * @param said told of each answer
 */
export function inPlaceOf({ name }: Seat, config: BotConfig, said: (turn: string, reply: Reply) => void): BotConfig {
  const plugins = mapPlugins(config.plugins, ({ definition, options }) => ({
    definition: {
      ...definition,
      async setup(app, given) {
        const parts = await definition.setup(app, given)
        if (!parts?.respond) return parts
        return {
          ...parts,
          async respond(turn, decision, context) {
            const reply = await parts.respond?.(turn, decision, context)
            if (reply?.kind === 'silent') return reply
            if (reply) said(turn.id, reply)
            return undefined
          },
        }
      },
    },
    options,
  }))
  const { prompt } = config.persona
  return { ...config, persona: { name, ...(prompt !== undefined && { prompt }) }, apology: false, plugins }
}
