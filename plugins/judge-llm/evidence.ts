/** What a verdict can rest on besides the text: the points of the rules, the time, and who has spoken. No names, no texts. */
import { ago, type Locale, type Message, safeLine, type TotalScore, type Turn } from 'kikimimi'
import { texts } from './texts.ts'

/** @param length the number of messages that the model reads */
export function evidenceOf(
  { history }: Turn,
  { points, parts }: TotalScore,
  { locale, length, now }: { readonly locale: Locale; readonly length: number; readonly now: Date },
): string {
  const say = texts(locale)
  const since = ({ at }: Message) => ago(now.getTime() - at.getTime(), locale)
  const read = history.slice(-length)
  const own = read.filter(message => message.own)
  const [last, lastOwn] = [read.at(-1), own.at(-1)]
  const people = new Set(read.filter(message => !message.own).map(({ author }) => author.id))
  const list = parts.map(part => `${safeLine(part.why)} ${part.points > 0 ? '+' : ''}${part.points}`).join(', ')
  return [
    list === '' ? say('points.none', { points }) : say('points', { points, parts: list }),
    ...(last ? [say('last', { ago: since(last) })] : []),
    lastOwn
      ? say('own', { ago: since(lastOwn), count: read.length - 1 - read.indexOf(lastOwn), all: read.length, own: own.length })
      : say('own.none', { count: read.length }),
    say('people', { count: people.size }),
  ].join('\n')
}
