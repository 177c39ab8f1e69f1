import { saysOneOf } from '@kikimimi/addressing/words'
import type { Message, PersonaPlace, Score, Turn } from 'kikimimi'
import type { Attention } from './attention.ts'
import { type Options, RULES } from './options.ts'
import { onlyNods } from './rules/attentive.ts'
import type { Rule } from './rules/rule.ts'
import { look, type Settings } from './rules/sight.ts'

export type Table = ReturnType<typeof tableOf>

/** The rules, with the points and words of the options. */
export function tableOf(options: Options, hasName: (text: string, place: PersonaPlace) => boolean, attention?: Attention) {
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

  const scores = (turn: Turn, message: Message): readonly Score[] => {
    const sight = look(turn, message, settings)
    const ruled = rules.filter(rule => rule.when(sight))
    const learned = message.addressed ? [] : (attention?.scores(turn, message) ?? [])
    return [...learned, ...ruled].map(({ points, why }) => ({ points, why, message: message.id }))
  }
  // The rules of `classic` examine only the last message of the batch.
  const sights = ({ messages, message }: Turn) => (preset === 'classic' ? [message] : messages)

  return {
    score: (turn: Turn) =>
      sights(turn)
        .map(message => scores(turn, message))
        .reduce((best, one) => (sum(one) >= sum(best) ? one : best)),

    style: (turn: Turn) => ({
      ...options,
      nods:
        preset !== 'classic' &&
        turn.addressed !== undefined &&
        onlyNods(turn.messages.map(message => look(turn, message, settings))),
      engaged: diversity && look(turn, turn.message, settings).sinceReplyMs < engagement.duration,
    }),
  }
}

function sum(scores: readonly { readonly points: number }[]): number {
  return scores.reduce((total, { points }) => total + points, 0)
}
