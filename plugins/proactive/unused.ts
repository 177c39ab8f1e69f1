/** Options that have no effect because of other options. */
import type { Options } from './options.ts'

const DAY = 24 * 60 * 60_000

export function unused({ interval, perDay }: Options): Readonly<Record<string, string>> {
  if (perDay.channel >= perDay.bot) return { 'perDay.channel': `perDay.bot allows only ${perDay.bot} in all channels` }
  return perDay.channel * interval > DAY ? { 'perDay.channel': 'interval allows fewer in a day' } : {}
}
