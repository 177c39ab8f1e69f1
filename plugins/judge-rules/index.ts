/** Decides when to speak, by a table of rules. */
import { type Conversation, definePlugin, duration, type Turn } from 'kikimimi'
import { z } from 'zod'
import { callsOneOf } from './called.ts'
import { Chattiness, chattinessCommand, LEVELS, SCORES, WORDS } from './chattiness.ts'
import { decide } from './decide.ts'
import { Judge } from './judge.ts'
import { ATTENTIVE, onlyNods } from './rules/attentive.ts'
import { CLASSIC } from './rules/classic.ts'
import type { Rule } from './rules/rule.ts'
import { look, type Settings, type Sight } from './sight.ts'
import { settledBy } from './withdraw.ts'
import { saysOneOf } from './words.ts'

const RULES = { attentive: ATTENTIVE, classic: CLASSIC }

type RuleName = (typeof ATTENTIVE | typeof CLASSIC)[number]['name']

const names = [...new Set([...ATTENTIVE, ...CLASSIC].map(({ name }): RuleName => name))]

const points = z.number().min(0).max(100)
const count = z.int().min(1)

const options = z
  .strictObject({
    preset: z.enum(['attentive', 'classic']).default('attentive').describe('The table: what people do, or the points of old.'),
    chattiness: z
      .enum(LEVELS)
      .default('normal')
      .describe(
        'How much it talks unasked: `quiet` takes 20 points off, `lively` gives 15. `/kiki chattiness` sets it for a channel.',
      ),
    threshold: points.default(60).describe('The score from which the bot speaks unasked, where no judge is asked.'),
    names: z.array(z.string()).default([]).describe('Further names that people call the bot by, beside those of its persona.'),
    keywords: z.array(z.string()).default([]).describe('Words that make a message more interesting.'),
    knownTopics: z.array(z.string()).default([]).describe('Words for what the bot knows about.'),
    engagement: z
      .object({ duration: duration.prefault('5m').describe('How long the bot stays in a conversation after it spoke.') })
      .prefault({})
      .describe('classic, and the form of answers: when the bot counts as one of those who are talking.'),
    cooldown: duration.prefault('2m').describe('classic: how long the bot holds back after it spoke.'),
    unmentioned: count.default(10).describe('classic: in so many messages nobody has mentioned the bot.'),
    lively: z
      .object({
        messages: count.default(10).describe('So many messages'),
        within: duration.prefault('1m').describe('within so long.'),
      })
      .prefault({})
      .describe('classic: what counts as a lively talk.'),
    silence: duration.prefault('10m').describe('After so long what is said breaks a silence.'),
    unasked: count.default(4).describe('attentive: so often within five minutes the bot joins in, and then no more.'),
    points: z.partialRecord(z.enum(names), z.number()).default({}).describe('Other points for rules, by name: { question: 30 }.'),
    diversity: z.boolean().default(false).describe('Answers unasked with a reaction or a short phrase, where that is enough.'),
    ackFrom: points.default(60).describe('With diversity: a lower score gets a reaction.'),
    fullFrom: points
      .default(80)
      .describe('With diversity: a lower score gets a short phrase, unless it is a question or the bot is in the conversation.'),
    reactFrom: points.optional().describe('The score below the threshold from which the bot reacts. Absent: it stays silent.'),
  })
  .prefault({})

type Options = z.output<typeof options>

export default definePlugin({
  name: 'judge-rules',
  options,
  provides: [Chattiness],
  perPlace: [
    'chattiness',
    'threshold',
    'keywords',
    'knownTopics',
    'engagement',
    'cooldown',
    'unmentioned',
    'lively',
    'silence',
    'unasked',
    'points',
    'diversity',
    'ackFrom',
    'fullFrom',
    'reactFrom',
  ],
  setup: (app, options) => {
    const { preset } = options
    const called = [...app.persona.names, ...options.names]
    const hasName = saysOneOf(called)
    const isCalled = preset === 'classic' ? hasName : callsOneOf(called)

    const tables = new WeakMap<Options, Table>()
    const tableIn = ({ conversation }: Turn) => {
      const own = app.optionsIn(conversation)
      const table = tables.get(own) ?? tableOf(own, hasName)
      tables.set(own, table)
      return table
    }

    const chattinessIn = (conversation: Conversation) => app.optionsIn(conversation).chattiness
    app.provide(Chattiness, { in: chattinessIn })

    return {
      commands: [chattinessCommand(app, chattinessIn)],
      status: ({ conversation, locale }) => WORDS[locale].is(chattinessIn(conversation)),
      withdraw: settledBy,
      address: ({ text }) => (isCalled(text) ? 'name' : undefined),
      score: turn => {
        const scores = tableIn(turn).score(turn)
        const more = turn.addressed ? undefined : SCORES[chattinessIn(turn.conversation)]
        return more ? [...scores, more] : scores
      },
      decide: (turn, score) => decide(turn, score, { ...tableIn(turn).style(turn), judge: app.find(Judge) }),
    }
  },
})

type Table = ReturnType<typeof tableOf>

/** The rules, with the points and the words of some options. */
function tableOf(options: Options, hasName: (text: string) => boolean) {
  const { preset, engagement, diversity } = options
  const settings: Settings = {
    ...options,
    engagementMs: engagement.duration,
    cooldownMs: options.cooldown,
    silenceMs: options.silence,
    hasName,
    hasKeyword: saysOneOf(options.keywords),
    hasTopic: saysOneOf(options.knownTopics),
  }
  const rules = RULES[preset]
    .map((rule): Rule => ({ ...rule, points: options.points[rule.name] ?? rule.points }))
    .filter(rule => rule.points !== 0)

  const scores = (sight: Sight) => rules.filter(rule => rule.when(sight)).map(({ points, why }) => ({ points, why }))
  // The classic rules look at the batch from its last message.
  const sights = ({ messages, message }: Turn) => (preset === 'classic' ? [message] : messages)

  return {
    score: (turn: Turn) =>
      sights(turn)
        .map(message => scores(look(turn, message, settings)))
        .reduce((best, one) => (sum(one) >= sum(best) ? one : best)),

    style: (turn: Turn) => ({
      ...options,
      nods:
        preset === 'attentive' &&
        turn.addressed !== undefined &&
        onlyNods(turn.messages.map(message => look(turn, message, settings))),
      engaged: diversity && look(turn, turn.message, settings).sinceReplyMs < engagement.duration,
    }),
  }
}

function sum(scores: readonly { readonly points: number }[]): number {
  return scores.reduce((total, { points }) => total + points, 0)
}
