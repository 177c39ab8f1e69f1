/** Asks a model whether to join in, if the score leaves it open. */

import { countVotes } from '@kikimimi/attention/count-votes'
import { hashOf } from '@kikimimi/attention/model'
import { Judge } from '@kikimimi/judge-rules/judge'
import { Points } from '@kikimimi/judge-rules/points'
import { isJudged, probabilityOf } from '@kikimimi/judge-rules/probability'
import {
  channelOf,
  conversationValues,
  definePlugin,
  formatSections,
  type Locale,
  languageOf,
  MessageLog,
  RecentMap,
  type Stages,
  type Turn,
} from 'kikimimi'
import { z } from 'zod'
import { combine, SPEAKS_FROM, signedVerdict, speaksFromWith } from './combine.ts'
import { withoutVerdict, withVerdict } from './decision.ts'
import { hasEnded } from './ended.ts'
import { evidenceOf } from './evidence.ts'
import { measureAll, measureEach } from './measure/measure.ts'
import { type Judged, record } from './measure/record.ts'
import { standingIn } from './measure/standing.ts'
import { shownOf } from './measure/surroundings.ts'
import { judgeReport } from './report/cli.ts'
import { figuresOf, JudgeFigures, verdictsIn } from './report/figures.ts'
import { readVerdict, STYLES, verdictOf } from './verdict.ts'

/** A verdict is one line of JSON. The rest is for models that think. */
const MAX_TOKENS = 500

/** More turns than this never run at a time. */
const RUNNING = 1_000

const points = z.number().min(0).max(100)

const options = z
  .strictObject({
    low: points
      .default(20)
      .describe('The model is not asked for scores up to this one: the next decider judges, or the bot stays silent.'),
    high: points
      .default(80)
      .describe(
        'The model is not asked for this score and higher ones where an answer is wanted with a probability of 90 % or more: the next decider judges.',
      ),
    speaksFrom: z
      .number()
      .min(0)
      .max(1)
      .default(SPEAKS_FROM)
      .describe(
        'The bot speaks if the probability that an answer is welcome, of the points and the verdict together, is this or higher. Where verdicts tell less, it moves towards the threshold of judge-rules. 0.3: a missing answer costs 2.3 times as much as an unwanted one. 0.5: the same.',
      ),
    history: z.int().positive().default(15).describe('Number of messages of the conversation that the model reads.'),
    styles: z
      .tuple([z.enum(STYLES)], z.enum(STYLES))
      .default(['full'])
      .describe(
        'Forms of answer that the model may choose from: `react` (an emoji), `ack` (a short phrase), `full`. With `full` alone, the option `diversity` of judge-rules chooses.',
      ),
  })
  .refine(({ low, high }) => low < high, { path: ['low'], error: 'expected less than "high"' })
  .prefault({})

export default definePlugin({
  name: 'judge-llm',
  options,
  scoped: ['history', 'styles', 'speaksFrom'],
  needs: [MessageLog],
  provides: [Judge, JudgeFigures],
  after: ['judge-rules'],
  prompts: new URL('./prompts/', import.meta.url),
  migrations: new URL('./migrations/', import.meta.url),
  // Without a database, every channel has the coefficients of the start.
  needsDatabase: () => false,
  cli: [judgeReport],
  // With the other presets, 100 points mean 57 %.
  unused: (_options, bot): Readonly<Record<string, string>> =>
    bot.optionsOf('judge-rules')?.preset === 'attention'
      ? {}
      : { high: 'only points of the preset "attention" of judge-rules mean a probability of 90 %' },
  setup: (ctx, { low, high }) => {
    const { db, clock } = ctx
    ctx.provide(Judge, { low, high })
    ctx.provide(JudgeFigures, {
      of: async channel => (db.kind === 'none' ? undefined : (await figuresOf(db, channel))[0]),
      verdicts: async channel => (db.kind === 'none' ? new Map() : verdictsIn(db, channel)),
    })
    /** The verdicts of running turns, by the id of the turn. */
    const verdicts = new RecentMap<Judged>(RUNNING)

    const decide: Stages['decide'] = async (turn, score, { context }) => {
      const rules = ctx.use(Points, 'optional')
      const probability = rules?.probability ?? probabilityOf
      if (turn.addressed || !isJudged(score.points, { low, high, probability })) return undefined
      const plain = withoutModel(turn)
      if (plain !== undefined) return { kind: 'silent', why: plain }

      const { history, styles, speaksFrom } = ctx.optionsFor(turn.conversation)
      const system = (locale: Locale) => ctx.prompt('judge.system', { persona: turn.persona.prompt }, locale)
      const prompt = hashOf([system(ctx.bot.locale), history, styles])
      const now = new Date(clock.now())
      const standing = await standingIn(db, channelOf(turn.conversation), prompt, now)
      const prior = probability(score.points)
      const before = combine(standing.alone, prior, 0)
      const style = styles.length === 1 && styles[0] === 'full' ? (rules?.style(turn, score.points) ?? 'full') : styles[0]
      const alone = rules ? probability(rules.threshold(turn)) : speaksFrom
      const byPoints = withoutVerdict(standing, { before, speaksFrom: alone }, style)
      if (standing.state === 'paused') return byPoints

      const locale = languageOf(turn.history, ctx.bot.locale)
      const { sections } = await context()
      const reading = { locale, length: history, now }
      const values = {
        sections: formatSections(sections, locale),
        ...conversationValues(turn, reading),
        evidence: evidenceOf(turn, score, reading),
      }
      const given = await ctx.models.object('judge', verdictOf(styles), {
        system: system(locale),
        messages: [{ role: 'user', text: ctx.prompt('judge.user', values, locale) }],
        maxTokens: MAX_TOKENS,
        signal: turn.signal,
      })
      const verdict = readVerdict(
        given,
        turn.history.map(({ text }) => text),
      )
      const signed = signedVerdict(verdict)
      const after = combine(standing.coefficients, prior, signed)
      const heeded = standing.state === 'asked'
      // A turn that the bot could not store runs again, with another id.
      verdicts.set(turn.id, { ...shownOf(turn, history), ...{ prior, before, after, verdict: signed, heeded, prompt } })
      if (!heeded) return byPoints
      const from = speaksFromWith(standing.coefficients, alone, speaksFrom)
      return withVerdict(
        verdict,
        { before, after, speaksFrom: from },
        styles.length > 1 && verdict.respond ? verdict.style : style,
      )
    }

    const counting =
      db.kind === 'none' ? undefined : countVotes(ctx, 'judge_llm', (channels, signal) => measureEach(ctx, channels, signal))
    if (counting) ctx.every('measure', '1d', signal => measureAll(ctx, signal))
    return {
      decide,
      async after(turn, trace) {
        const judged = verdicts.get(turn.id)
        verdicts.delete(turn.id)
        const recorded = counting && (await record(ctx, turn, trace, judged))
        if (recorded) await counting.recorded(recorded)
      },
      forget: async person => counting?.forget(person, person.before),
    }
  },
})

/** The reason for silence that needs no model. */
function withoutModel({ messages, history }: Turn): string | undefined {
  if (history.at(-1)?.own) return 'the bot spoke last'
  return hasEnded(messages) ? 'the conversation has ended' : undefined
}
