/** A bot in the seat of a member: what it receives, what it would answer, and how that compares. */
import type { BotConfig, PlatformHooks, Reply, Trace, Turn } from 'kikimimi'
import type { LogLine } from './chat-log.ts'
import { mapPlugins } from './map-plugins.ts'
import { PAUSE, type Sums, type Verdicts } from './scores.ts'
import type { Seat } from './seats.ts'

/** Number of lines in which the answer to a line is found, and in which a batch lies. */
const RECENT = 1_000
/** Number of the member's lines among which the last one before a batch is found. */
const OWN = 100

export interface Scorer {
  heard(line: LogLine): void
  /** @param judged whether a judge was asked */
  took(turn: Turn, trace: Trace, judged: boolean): void
  /** When the member last wrote, as far as it was known when the batch began. */
  spokeBefore(turn: Turn): Date | undefined
}

interface Utterance {
  readonly author: string
  last: number
  gold: boolean
  spoken: boolean
}

interface Heard {
  readonly utterance: Utterance
  /** True: a person other than the member has answered it. */
  answered: boolean
}

export function createScorer({ id: member, answered }: Seat, sums: Sums): Scorer {
  const recent = new Map<string, Heard>()
  /** The utterances that can still continue, by author. */
  const open = new Map<string, Utterance>()
  let spoken: readonly Date[] = []
  sums.seats++

  function utteranceOf(author: string, at: number): Utterance {
    const going = open.get(author)
    if (going && at - going.last <= PAUSE) {
      going.last = at
      return going
    }
    const begun = { author, last: at, gold: false, spoken: false }
    open.set(author, begun)
    sums.utterances.otherSilent++
    return begun
  }

  function change(utterance: Utterance, to: { readonly gold?: true; readonly spoken?: true }): void {
    sums.utterances[kindOf(utterance)]--
    Object.assign(utterance, to)
    sums.utterances[kindOf(utterance)]++
  }

  return {
    heard({ id, at, author, context, replyTo }) {
      if (author.id === member) {
        open.clear()
        spoken = [...spoken.slice(1 - OWN), at]
        if (!context) sums.own++
        return
      }
      for (const target of replyTo) {
        const line = recent.get(target)
        if (line && line.utterance.author !== author.id) line.answered = true
      }
      if (context) return
      const utterance = utteranceOf(author.id, at.getTime())
      recent.set(id, { utterance, answered: false })
      if (recent.size > RECENT) recent.delete(recent.keys().next().value ?? '')
      sums.heard++
      if (!answered.has(id)) return
      sums.goldMessages++
      change(utterance, { gold: true })
    },

    took({ messages, message }, { at, outcome, decision, score, addressed }, judged) {
      // A delayed turn is not final: the next one has the same messages.
      if (outcome === 'delayed' || outcome === 'cancelled') return
      const batch = messages.flatMap(({ id }) => recent.get(id) ?? [])
      const last = recent.get(message.id)?.utterance ?? batch.at(-1)?.utterance
      if (!last) return
      const goldMessages = messages.filter(({ id }) => recent.has(id) && answered.has(id)).length
      const gold = goldMessages > 0
      const speaks = decision?.kind === 'ack' || decision?.kind === 'full'
      sums.batches[kindOf({ gold, spoken: speaks })]++
      if (speaks || decision?.kind === 'react' || judged) {
        sums.considered++
        sums.coveredMessages += goldMessages
      }
      if (speaks) {
        sums.words++
        const wanted = batch.map(({ utterance }) => utterance).filter(utterance => utterance.gold)
        const to = last.gold ? last : (wanted.findLast(utterance => !utterance.spoken) ?? wanted.at(-1) ?? last)
        if (to.spoken) sums.repeated++
        else change(to, { spoken: true })
        if (batch.some(line => line.answered)) sums.answeredBefore++
      }
      if (addressed) return
      const is = gold ? 'gold' : 'other'
      sums.unasked[is]++
      for (const why of new Set(score?.parts.map(part => part.why))) {
        sums.rules[why] ??= { gold: 0, other: 0 }
        sums.rules[why][is]++
      }
      if (!speaks) return
      const tenths = Math.round((at.getTime() - message.at.getTime()) / 100)
      sums.waits[tenths] = (sums.waits[tenths] ?? 0) + 1
    },

    spokeBefore: ({ messages: [first] }) => spoken.findLast(at => first !== undefined && at <= first.at),
  }
}

function kindOf({ gold, spoken }: { readonly gold: boolean; readonly spoken: boolean }): keyof Verdicts {
  return `${gold ? 'gold' : 'other'}${spoken ? 'Spoken' : 'Silent'}`
}

/**
 * The bot under the member's name, or its own. Its answers are made, because they cost tokens, and not sent. Its history
 * are the member's own lines.
 * @param said receives each answer
 */
export function inPlaceOf(
  { name, itself }: Seat,
  config: BotConfig,
  { spokeBefore, said }: Pick<Scorer, 'spokeBefore'> & { said(turn: string, reply: Reply): void },
): BotConfig {
  const seen = (turn: Turn): Turn => {
    const { lastReplyAt: _, ...rest } = turn
    const lastReplyAt = spokeBefore(turn)
    return { ...rest, ...(lastReplyAt && { lastReplyAt }) }
  }
  const muted = ({ score, decide, respond, ...parts }: PlatformHooks): PlatformHooks => ({
    ...parts,
    ...(score && { score: turn => score(seen(turn)) }),
    ...(decide && { decide: (turn, total, call) => decide(seen(turn), total, call) }),
    ...(respond && {
      async respond(turn, decision, context) {
        const reply = await respond(seen(turn), decision, context)
        if (reply && 'why' in reply) return reply
        if (reply) said(turn.id, reply)
        return undefined
      },
    }),
  })
  const plugins = mapPlugins(config.plugins, ({ definition, ...plugin }) => ({
    ...plugin,
    definition: {
      ...definition,
      async setup(ctx, given) {
        const parts = await definition.setup(ctx, given)
        return parts && muted(parts)
      },
    },
  }))
  const { prompt } = config.persona
  const persona = itself ? config.persona : { name, ...(prompt !== undefined && { prompt }) }
  return { ...config, persona, apology: false, plugins }
}
