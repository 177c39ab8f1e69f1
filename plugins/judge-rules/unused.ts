/** The options that a preset does not read. */
import { type Options, RULES } from './options.ts'

export function unused({ preset, diversity, points }: Options): Readonly<Record<string, string>> {
  const rules = new Set<string>(RULES[preset].map(({ name }) => name))
  const why = `preset "${preset}" does not read it`
  const others = Object.keys(points).filter(name => !rules.has(name))
  return {
    ...(preset === 'classic' ? { unasked: why } : { cooldown: why }),
    ...(preset !== 'classic' && !diversity && { engagement: `${why} without diversity` }),
    ...Object.fromEntries(others.map(name => [`points.${name}`, `preset "${preset}" has no rule "${name}"`])),
  }
}
