/** Finds the line of a value in bot.config.ts or bot.settings.json. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Node } from '@babel/types'
import type { ConfigPath } from 'kikimimi/host'
import { jsonFaultAt } from 'kikimimi/host'
import { parseSource, type Source, valuesOf } from './source.ts'

export interface Place {
  readonly line: number
  readonly column: number
}

/** Where a value or its key stands. Of a value that the file does not have: what would contain it. */
export function locate({ bot, values }: Source, path: ConfigPath): Place {
  let mark = bot
  let nodes = bot ? valuesOf(bot, values) : []
  for (const key of path) {
    const found = nodes.map(node => below(node, key, values)).find(one => one !== undefined)
    if (!found) break
    mark = found.mark
    nodes = valuesOf(found.value, values)
  }
  const { line = 1, column = 0 } = mark?.loc?.start ?? {}
  return { line, column: column + 1 }
}

/** Finds places in a JSON file; in a file that is no JSON, where that shows; in a file that does not exist, none. */
export function locateInJson(file: string): (path: ConfigPath) => Place | undefined {
  if (!existsSync(resolve(file))) return () => undefined
  const text = readFileSync(resolve(file), 'utf8')
  const fault = jsonFaultAt(text)
  if (fault) return () => fault
  // On the first line, as a default export.
  const source = parseSource(`${EXPORT}${text}`)
  return path => {
    const place = source && locate(source, path)
    return place && { line: place.line, column: place.line === 1 ? place.column - EXPORT.length : place.column }
  }
}

const EXPORT = 'export default '

/** The value at a path below the bot. Nothing: the file does not have it. */
export function valueAt({ bot, values }: Source, path: ConfigPath): Node | undefined {
  let node = bot
  for (const key of path) {
    const nodes: readonly Node[] = node ? valuesOf(node, values) : []
    node = nodes.map(one => below(one, key, values)).find(one => one !== undefined)?.value
  }
  return node
}

interface Found {
  /** The key of a value, or the value itself. */
  readonly mark: Node
  readonly value: Node
}

/** What stands under a key of a node, or at an index. */
export function below(node: Node, key: PropertyKey, values: Source['values']): Found | undefined {
  if (node.type === 'ArrayExpression') return typeof key === 'number' ? elementAt(node.elements, key, values) : undefined
  if (node.type === 'ObjectExpression') {
    for (const property of node.properties.toReversed()) {
      if (property.type === 'SpreadElement') {
        const inside = valuesOf(property.argument, values).map(one => below(one, key, values))
        const found = inside.find(one => one !== undefined)
        if (found) return found
      } else if (nameOf(property.key) === String(key)) {
        return { mark: property.key, value: property.type === 'ObjectProperty' ? property.value : property }
      }
    }
  }
  // A plugin: its first argument has its options, the second one those of places. One that is not called has neither.
  if (node.type !== 'CallExpression' || isDefinition(node.callee)) return undefined
  const [options, places] = node.arguments
  if (key === 'options') return options && { mark: options, value: options }
  const layers = places ? valuesOf(places, values) : []
  return layers.map(one => below(one, key, values)).find(one => one !== undefined)
}

function elementAt(elements: readonly (Node | null)[], index: number, values: Source['values']): Found | undefined {
  const flat: (Node | null)[] = []
  for (const element of elements) {
    if (element?.type !== 'SpreadElement') {
      flat.push(element)
      continue
    }
    const [list] = valuesOf(element.argument, values)
    // The number of plugins in another list is not known here.
    if (list?.type !== 'ArrayExpression') break
    flat.push(...list.elements)
  }
  const found = flat[index]
  return found ? { mark: chosen(found), value: found } : undefined
}

/** Of `condition && plugin()` the plugin. */
function chosen(node: Node): Node {
  return node.type === 'LogicalExpression' && node.operator === '&&' ? chosen(node.right) : node
}

function isDefinition(callee: Node): boolean {
  return callee.type === 'Identifier' && /^define(?:Plugin|Platform)$/.test(callee.name)
}

function nameOf(key: Node): string | undefined {
  if (key.type === 'Identifier') return key.name
  return key.type === 'StringLiteral' || key.type === 'NumericLiteral' ? String(key.value) : undefined
}
