/** A bot in the seat of a member: what it receives, what it would answer, and how that compares. */
import { type BotConfig, RecentMap, type Reply, type Trace, type Turn } from 'kikimimi'
import type { PlatformHooks } from 'kikimimi/platform'
import type { LogLine } from './logs/chat-log.ts'
import { mapPlugins } from './map-plugins.ts'
import { FOLLOWS, type Kind, PAUSE, type Sums, type Verdicts } from './scores.ts'
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
  kind: Kind
  gold: boolean
  /** The bot spoke to it. */
  spoken: boolean
  /** The same, with the lenient credit. */
  credited: boolean
}

interface Heard {
  readonly author: string
  /** Absent: a line of the member, or context. */
  readonly utterance?: Utterance
  /** True: a person other than the member has answered it. */
  answered: boolean
}

export function createScorer({ id: member, answered }: Seat, sums: Sums): Scorer {
  const recent = new RecentMap<Heard>(RECENT)
  /** The utterances that can still continue, by author. */
  const open = new Map<string, Utterance>()
  /** When each person and the member last answered each other, by person. */
  const exchanged = new Map<string, number>()
  let spoken: readonly Date[] = []
  sums.seats++

  function utteranceOf(author: string, at: number): Utterance {
    const going = open.get(author)
    if (going && at - going.last <= PAUSE) {
      going.last = at
      return going
    }
    const kind = at - (exchanged.get(author) ?? Number.NEGATIVE_INFINITY) <= FOLLOWS ? 'followUp' : 'unasked'
    const begun: Utterance = { author, last: at, kind, gold: false, spoken: false, credited: false }
    open.set(author, begun)
    count(begun, 1)
    return begun
  }

  function count(utterance: Utterance, by: 1 | -1): void {
    const { kind, gold, spoken, credited } = utterance
    sums.utterances[verdictOf({ gold, spoken })] += by
    sums.kinds[kind][verdictOf({ gold, spoken })] += by
    sums.batchCredit[verdictOf({ gold, spoken: credited })] += by
  }

  function change(utterance: Utterance, to: Partial<Pick<Utterance, 'kind' | 'gold' | 'spoken' | 'credited'>>): void {
    count(utterance, -1)
    Object.assign(utterance, to)
    count(utterance, 1)
  }

  return {
    heard({ id, at, author, context, replyTo }) {
      const targets = replyTo.flatMap(target => recent.get(target) ?? [])
      for (const line of targets) {
        if (author.id === member) exchanged.set(line.author, at.getTime())
        else if (line.author === member) exchanged.set(author.id, at.getTime())
        else if (line.author !== author.id) line.answered = true
      }
      recent.set(id, { author: author.id, answered: false })
      if (author.id === member) {
        open.clear()
        spoken = [...spoken.slice(1 - OWN), at]
        if (!context) sums.own++
        return
      }
      if (context) return
      const utterance = utteranceOf(author.id, at.getTime())
      recent.set(id, { author: author.id, answered: false, utterance })
      sums.heard++
      if (!answered.has(id)) return
      sums.goldMessages++
      change(utterance, { gold: true })
    },

    took({ messages }, { at, outcome, decision, score, addressed, trigger }, judged) {
      // A delayed turn is not final: the next one has the same messages.
      if (outcome === 'delayed' || outcome === 'cancelled') return
      const batch = messages.flatMap(message => {
        const { utterance, answered: before = false } = recent.get(message.id) ?? {}
        return utterance ? [{ message, utterance, before }] : []
      })
      const asked = batch.find(({ message }) => message.id === trigger) ?? batch.at(-1)
      if (!asked) return
      for (const { message, utterance } of batch) if (message.addressed) change(utterance, { kind: 'addressed' })
      const goldMessages = batch.filter(({ message }) => answered.has(message.id)).length
      const gold = goldMessages > 0
      const speaks = decision?.kind === 'ack' || decision?.kind === 'full'
      sums.batches++
      if (speaks || decision?.kind === 'react' || judged) {
        sums.considered++
        sums.coveredMessages += goldMessages
      }
      if (speaks) {
        sums.words++
        if (asked.utterance.spoken) sums.repeated++
        const wanted = batch.map(({ utterance }) => utterance).filter(utterance => utterance.gold)
        const credited = asked.utterance.gold
          ? asked.utterance
          : (wanted.findLast(utterance => !utterance.credited) ?? wanted.at(-1) ?? asked.utterance)
        change(asked.utterance, { spoken: true })
        change(credited, { credited: true })
        if (batch.some(({ before }) => before)) sums.answeredBefore++
      }
      if (addressed) return
      const is = gold ? 'gold' : 'other'
      sums.unasked[is]++
      for (const why of new Set(score?.parts.map(part => part.why))) {
        sums.rules[why] ??= { gold: 0, other: 0 }
        sums.rules[why][is]++
      }
      if (!speaks) return
      const tenths = Math.round((at.getTime() - asked.message.at.getTime()) / 100)
      const waits = sums.waits[asked.utterance.kind === 'unasked' ? 'stranger' : 'partner']
      waits[tenths] = (waits[tenths] ?? 0) + 1
    },

    spokeBefore: ({ messages: [first] }) => spoken.findLast(at => first !== undefined && at <= first.at),
  }
}

function verdictOf({ gold, spoken }: { readonly gold: boolean; readonly spoken: boolean }): keyof Verdicts {
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
