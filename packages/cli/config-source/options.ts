/** Changes options of plugins in the text of a bot.config.ts. All other text stays as it is, byte by byte. */
import type { Node, ObjectExpression } from '@babel/types'
import type { ConfigPath } from 'kikimimi/host'
import MagicString from 'magic-string'
import { below, valueAt } from './locate.ts'
import { parseSource, type Source, valuesOf } from './source.ts'

/**
 * The text with the present name of an option, in the options of the plugin and in those of its places. Nothing: the text does not write
 * the option where it can be changed.
 *
 * @param plugin the path of the plugin, such as `['plugins', 3]`
 */
export function renameOption(text: string, plugin: ConfigPath, former: string, present: string): string | undefined {
  const source = parseSource(text)
  if (!source) return undefined
  const out = new MagicString(text)
  for (const object of layersOf(source, plugin)) {
    const { mark, value } = below(object, former, source.values) ?? {}
    if (!mark || !value) continue
    // `{ volume }` stands for both.
    const isShort = mark.start === value.start
    out.update(mark.start ?? 0, mark.end ?? 0, isShort ? `${present}: ${former}` : present)
  }
  return out.hasChanged() ? out.toString() : undefined
}

/** The text with a value for an option that the plugin does not have. Nothing: the options are not written as an object. */
export function pinOption(text: string, plugin: ConfigPath, path: readonly string[], value: unknown): string | undefined {
  const source = parseSource(text)
  const node = source && pluginAt(source, plugin)
  if (!source || !node) return undefined
  const out = new MagicString(text)
  if (node.type === 'Identifier') return out.appendLeft(node.end ?? 0, `({ ${written(path, value)} })`).toString()
  if (node.type !== 'CallExpression') return undefined
  const [options] = node.arguments
  if (!options) return out.appendLeft((node.end ?? 0) - 1, `{ ${written(path, value)} }`).toString()
  const object = valuesOf(options, source.values).find(isObject)
  return object && pinIn(out, source, object, path, value)?.toString()
}

function pinIn(
  out: MagicString,
  source: Source,
  object: ObjectExpression,
  path: readonly string[],
  value: unknown,
): MagicString | undefined {
  const [key = '', ...rest] = path
  const inner = below(object, key, source.values)
  if (inner) {
    const group = valuesOf(inner.value, source.values).find(isObject)
    return group && rest.length > 0 ? pinIn(out, source, group, rest, value) : undefined
  }
  const [first] = object.properties
  const start = object.start ?? 0
  if (!first) return out.update(start, object.end ?? 0, `{ ${written(path, value)} }`)
  // On a line of its own, if the others are.
  const gap = source.text.slice(start + 1, first.start ?? 0)
  const space = /\r?\n[ \t]*$/.exec(gap)?.[0] ?? ' '
  return out.appendLeft(first.start ?? 0, `${written(path, value)},${space}`)
}

/** `engagement: { duration: '5m' }` */
function written(path: readonly string[], value: unknown): string {
  const [key = '', ...rest] = path
  return `${nameOf(key)}: ${rest.length > 0 ? `{ ${written(rest, value)} }` : literal(value)}`
}

/** A value as code. */
export function literal(value: unknown): string {
  if (typeof value === 'string') return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const parts = Object.entries(value).map(([key, inner]) => `${nameOf(key)}: ${literal(inner)}`)
  return parts.length > 0 ? `{ ${parts.join(', ')} }` : '{}'
}

function nameOf(key: string): string {
  return /^[a-z_$][\w$]*$/i.test(key) ? key : literal(key)
}

/** The objects with options of a plugin: for everywhere, and for each place. */
function layersOf(source: Source, plugin: ConfigPath): readonly ObjectExpression[] {
  const { values } = source
  const everywhere = valueAt(source, [...plugin, 'options'])
  const places = ['workspaces', 'channels', 'threads'].flatMap(kind => {
    const byName = valueAt(source, [...plugin, kind])
    return byName ? valuesOf(byName, values).flatMap(one => (isObject(one) ? one.properties : [])) : []
  })
  const layers = places.flatMap(one => (one.type === 'ObjectProperty' ? [one.value] : []))
  return [everywhere, ...layers].flatMap(one => (one ? valuesOf(one, values).filter(isObject) : []))
}

function pluginAt(source: Source, plugin: ConfigPath): Node | undefined {
  const entry = valueAt(source, plugin)
  const [node, ...others] = entry ? valuesOf(entry, source.values) : []
  return others.length === 0 ? node : undefined
}

function isObject(node: Node): node is ObjectExpression {
  return node.type === 'ObjectExpression'
}
