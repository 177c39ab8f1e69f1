/** The points of a message, with reasons in words. */
import type { Locale, Message, Score, Turn } from 'kikimimi'
import { LINES } from './explain.ts'
import { basePoints, type Model, pointsOf } from './model.ts'
import { signsOf } from './signs.ts'
import { texts } from './texts.ts'

/** What adds fewer points is not listed, and counts with the base. */
const LISTED = 1

export function scoresOf(
  turn: Turn,
  message: Message,
  { model, locale }: { readonly model: Model; readonly locale: Locale },
): readonly Score[] {
  const say = texts(locale)
  const signs = signsOf(turn, message)
  const lines = LINES.map(({ signs: names, wording }) => ({
    points: names.reduce((sum, name) => sum + pointsOf(name, signs[name], model), 0),
    why: say(wording(signs)),
  }))
  const isListed = ({ points }: { readonly points: number }) => Math.abs(points) >= LISTED
  const base = lines.filter(line => !isListed(line)).reduce((sum, { points }) => sum + points, basePoints(model))
  return [{ points: base, why: say('base') }, ...lines.filter(isListed)].map(({ points, why }) => ({
    points: Math.round(points * 10) / 10,
    why,
  }))
}
