/** Values of bot.settings.json by their keys. */
import type { SettingsChange } from '../../api/index.ts'

export type Layer = Readonly<Record<string, unknown>>

/** The settings with the changes. Parts that are empty then are left out. */
export function changed(settings: unknown, changes: readonly SettingsChange[]): unknown {
  return changes.reduce<unknown>((all, { path, value }) => placed(all, path, value), settings)
}

/** The value at the end of the keys. */
export function valueAt(settings: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isLayer(value) && Object.hasOwn(value, key) ? value[key] : undefined), settings)
}

export function isLayer(value: unknown): value is Layer {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function placed(value: unknown, [key, ...rest]: readonly string[], next: unknown): unknown {
  if (key === undefined) return next
  const below = isLayer(value) ? value : {}
  const own = Object.hasOwn(below, key) ? below[key] : undefined
  const inner = placed(own, rest, next)
  const isGone = inner === undefined || (rest.length > 0 && isLayer(inner) && Object.keys(inner).length === 0)
  const { [key]: _, ...others } = below
  return isGone ? others : { ...others, [key]: inner }
}
