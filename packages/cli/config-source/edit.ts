/** Changes the plugins in the text of a bot.config.ts. All other text stays as it is, byte by byte. */
import { KikimimiError } from 'kikimimi'
import MagicString from 'magic-string'
import { addImport, type Export, freeName, importAbove, importedAs, importStatement, linesWith, removeImport } from './imports.ts'
import { cut, insertAfter, insertFirst } from './layout.ts'
import { type List, type Listed, listedIn, type Place, pluginsIn } from './listed.ts'
import { parseSource, type Source } from './source.ts'
import { textOf } from './tell.ts'

export interface PluginCall extends Export {
  /** The name that bot.config.ts gives to it. If the file uses this name, it becomes a similar one. */
  readonly variable: string
  /** The options as they are written in the brackets: `{ host: 'irc.example.org' }`, or nothing. */
  readonly options: string
}

/** Where a new plugin stands. */
export type Position = { readonly after: Listed } | { readonly before: Listed } | 'start' | 'end'

/** The packages of the plugins in the text. @throws CONFIG_BROKEN for wrong syntax */
export function packagesIn(file: string, text: string): readonly string[] {
  const list = pluginsIn(sourceOf(file, text))
  return list ? listedIn(list).flatMap(({ entry }) => entry.packages) : []
}

/** Whether the text imports a plugin and uses it. @throws CONFIG_BROKEN for wrong syntax */
export function hasPlugin(file: string, text: string, plugin: Export): boolean {
  return isUsed(sourceOf(file, text), plugin)
}

/** Whether the text imports anything of a package. @throws CONFIG_BROKEN for wrong syntax */
export function importsPackage(file: string, text: string, name: string): boolean {
  return sourceOf(file, text).imports.some(({ source }) => source.value === name || source.value.startsWith(`${name}/`))
}

/**
 * The text with the import and the call of a plugin; the same text if it uses the plugin.
 *
 * @throws CONFIG_BROKEN for wrong syntax; CONFIG_UNCLEAR if the plugins are not one list: the message has the lines to add
 */
export function withPlugin(
  file: string,
  text: string,
  plugin: PluginCall,
  positionIn: (plugins: readonly Listed[]) => Position,
): string {
  const source = sourceOf(file, text)
  if (isUsed(source, plugin)) return text
  const imported = importedAs(source, plugin)
  const variable = imported ?? freeName(source, plugin.variable)
  const statement = importStatement(source, plugin, variable)
  const call = `${variable}(${plugin.options})`
  const list = pluginsIn(source)
  if (list) {
    const out = new MagicString(text)
    if (imported === undefined) addImport(out, source, plugin.package, statement)
    insert(out, text, list, call, positionIn(listedIn(list)))
    const changed = parseSource(out.toString())
    if (changed?.errors.length === 0 && isUsed(changed, plugin)) return out.toString()
  }
  const above = importAbove(source, plugin.package)?.loc?.end.line
  const place = above === undefined ? 'in the first line of the file' : `below line ${above}, with the imports`
  throw new KikimimiError(
    'CONFIG_UNCLEAR',
    [
      `${file} is not changed, because its plugins are not one array. Add by hand, then repeat the command:`,
      ...(imported === undefined ? [`  ${place}:`, `    ${statement}`] : []),
      `  ${placeOf(source, list)}:`,
      `    ${call},`,
    ].join('\n'),
  )
}

/**
 * The text without a plugin and its import; the same text if it does not use the plugin.
 *
 * @throws CONFIG_BROKEN for wrong syntax; CONFIG_UNCLEAR if the text uses the plugin otherwise than as an entry of the list
 */
export function withoutPlugin(file: string, text: string, plugin: Export): string {
  const source = sourceOf(file, text)
  const variable = importedAs(source, plugin)
  if (variable === undefined) return text
  const out = new MagicString(text)
  const list = pluginsIn(source)
  for (const { entry, ...place } of list ? listedIn(list) : []) {
    if (entry.packages.length === 1 && entry.packages[0] === plugin.package) cut(out, text, { entry, ...place })
  }
  removeImport(out, source, plugin)
  const changed = parseSource(out.toString())
  if (changed?.errors.length === 0 && linesWith(changed, variable).length === 0) return out.toString()
  const lines = [...new Set(linesWith(source, variable))]
  throw new KikimimiError(
    'CONFIG_UNCLEAR',
    `${file} is not changed, because it uses ${variable} otherwise than in its list of plugins. Remove it by hand (line ${lines.join(', ')}), with its import, then repeat the command.`,
  )
}

function insert(out: MagicString, text: string, list: List, call: string, position: Position): void {
  const last = list.entries.at(-1)
  if (position === 'end' && last) insertAfter(out, text, { list, entry: last }, call)
  else if (typeof position === 'string') insertFirst(out, text, list, call)
  else if ('after' in position) insertAfter(out, text, position.after.anchor, call)
  else {
    const above = aboveOf(position.before.anchor)
    if (above) insertAfter(out, text, above, call)
    else insertFirst(out, text, position.before.anchor.list, call)
  }
}

/** The entry in front of another one. */
function aboveOf({ list, entry }: Place): Place | undefined {
  const above = list.entries[list.entries.indexOf(entry) - 1]
  return above && { list, entry: above }
}

function isUsed(source: Source, plugin: Export): boolean {
  const variable = importedAs(source, plugin)
  return variable !== undefined && linesWith(source, variable).length > 0
}

function placeOf({ bot, text }: Source, list: List | undefined): string {
  const line = list ? text.slice(0, list.start).split('\n').length : bot?.loc?.start.line
  return line === undefined ? 'in the plugins of the bot' : `in the plugins of the bot, which begins in line ${line}`
}

function sourceOf(file: string, text: string): Source {
  const source = parseSource(text)
  if (!source) throw new KikimimiError('CONFIG_BROKEN', `${file} is no TypeScript.`)
  if (source.errors.length === 0) return source
  const told = source.errors.map(({ line, column, message }) => ({ file, where: `${file}:${line}:${column}`, message }))
  throw new KikimimiError('CONFIG_BROKEN', textOf(told))
}
