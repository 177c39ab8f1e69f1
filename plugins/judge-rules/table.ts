import type { Turn } from 'kikimimi'
import { type Options, RULES } from './options.ts'
import { onlyNods } from './rules/attentive.ts'
import type { Rule } from './rules/rule.ts'
import { look, type Settings, type Sight } from './talk/sight.ts'
import { saysOneOf } from './talk/words.ts'

export type Table = ReturnType<typeof tableOf>

/** The rules, with the points and words of the options. */
export function tableOf(options: Options, hasName: (text: string) => boolean) {
  const { preset, engagement, diversity } = options
  const settings: Settings = {
    ...options,
    engagementMs: engagement.duration,
    cooldownMs: options.cooldown,
    hasName,
    hasKeyword: saysOneOf(options.keywords),
    hasTopic: saysOneOf(options.knownTopics),
  }
  const rules = RULES[preset]
    .map((rule): Rule => ({ ...rule, points: options.points[rule.name] ?? rule.points }))
    .filter(rule => rule.points !== 0)

  const scores = (sight: Sight) => rules.filter(rule => rule.when(sight)).map(({ points, why }) => ({ points, why }))
  // The rules of `classic` examine only the last message of the batch.
  const sights = ({ messages, message }: Turn) => (preset === 'classic' ? [message] : messages)

  return {
    score: (turn: Turn) =>
      sights(turn)
        .map(message => scores(look(turn, message, settings)).map(part => ({ ...part, message: message.id })))
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
