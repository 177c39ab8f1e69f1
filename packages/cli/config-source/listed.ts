/** The entries of `plugins` in a bot.config.ts, with their places in the text. */
import type { ArrayExpression, Node } from '@babel/types'
import { valueAt } from './locate.ts'
import { type Source, type Token, valuesOf } from './source.ts'

/** An array as it is written. */
export interface List {
  readonly start: number
  readonly end: number
  readonly entries: readonly Entry[]
}

export interface Entry {
  /** The packages whose plugin it can be: one; none of a plugin of your own; several of `a ? one() : other()`. */
  readonly packages: readonly string[]
  /** With its brackets. */
  readonly start: number
  readonly end: number
  /** The end of the comma behind it. Absent: there is none. */
  readonly comma?: number
  /** The lists that a spread stands for. */
  readonly lists: readonly List[]
  /** Whether these lists count under a condition only. */
  readonly isConditional: boolean
}

export interface Place {
  readonly entry: Entry
  readonly list: List
}

export interface Listed extends Place {
  /** What another entry can stand beside: this one, or the spread whose condition it is under. */
  readonly anchor: Place
}

/** The list of plugins. Nothing: the file has none that is written as an array. */
export function pluginsIn(source: Source): List | undefined {
  const value = valueAt(source, ['plugins'])
  const [array, ...more] = value ? valuesOf(value, source.values) : []
  return array?.type === 'ArrayExpression' && more.length === 0 ? listOf(array, source) : undefined
}

/** All plugins, those of spread lists in the place of the spread. */
export function listedIn(list: List, under?: Place): readonly Listed[] {
  return list.entries.flatMap(entry => {
    if (entry.lists.length === 0) return [{ entry, list, anchor: under ?? { entry, list } }]
    const condition = under ?? (entry.isConditional ? { entry, list } : undefined)
    return entry.lists.flatMap(inner => listedIn(inner, condition))
  })
}

function listOf(array: ArrayExpression, source: Source): List {
  const entries = array.elements.flatMap(element => (element ? [entryOf(element, source)] : []))
  return { start: array.start ?? 0, end: array.end ?? 0, entries }
}

function entryOf(element: Node, source: Source): Entry {
  const { tokens, values } = source
  const words = tokens.filter(({ type }) => type !== 'CommentLine' && type !== 'CommentBlock')
  let first = words.findIndex(({ start }) => start === element.start)
  let last = words.findLastIndex(({ end }) => end === element.end)
  while (isSign(words[first - 1], '(') && isSign(words[last + 1], ')')) {
    first--
    last++
  }
  const next = words[last + 1]
  const spread = element.type === 'SpreadElement' ? valuesOf(element.argument, values) : []
  return {
    packages: element.type === 'SpreadElement' ? [] : packagesOf(element, source),
    start: words[first]?.start ?? 0,
    end: words[last]?.end ?? 0,
    ...(next && isSign(next, ',') && { comma: next.end }),
    lists: spread.filter(one => one.type === 'ArrayExpression').map(one => listOf(one, source)),
    isConditional: element.type === 'SpreadElement' && element.argument.type !== 'Identifier',
  }
}

function packagesOf(element: Node, { imports, values }: Source): readonly string[] {
  const names = valuesOf(element, values).flatMap(value => {
    const factory = value.type === 'CallExpression' ? value.callee : value
    return factory.type === 'Identifier' ? factory.name : []
  })
  const found = imports.filter(({ specifiers }) => specifiers.some(({ local }) => names.includes(local.name)))
  return [...new Set(found.map(({ source }) => source.value))]
}

function isSign(token: Token | undefined, sign: string): boolean {
  return typeof token?.type === 'object' && token.type.label === sign
}
