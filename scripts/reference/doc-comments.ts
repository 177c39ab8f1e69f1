/** The doc comments of interfaces, which editors show. The reference uses the same comments. */

interface Property {
  readonly does: string
  /** The first name in its type. */
  readonly type: string
}

/**
 * By path, such as `pacing.minWait`. A property whose type is another interface of these sources has the properties of that
 * interface too.
 */
export function docComments(sources: readonly string[], name: string): ReadonlyMap<string, string> {
  const known = new Map(sources.flatMap(interfacesIn))
  const found = new Map<string, string>()

  function add(one: string, above: string): void {
    for (const [path, { does, type }] of known.get(one) ?? []) {
      if (path === 'extends') add(type, above)
      else if (does !== '') found.set(above + path, does)
      if (path !== 'extends') add(type, `${above}${path}.`)
    }
  }

  add(name, '')
  return found
}

/** The parts of an interface's source: its name, comments, properties, and the bounds of nested objects. */
const TOKEN = /export interface (\w+)(?: extends (\w+))?|\/\*\*(.*?)\*\/|readonly (\w+)\??: (\w*)|([{}])/gs

function interfacesIn(source: string): [name: string, properties: Map<string, Property>][] {
  const all: [string, Map<string, Property>][] = []
  let properties = new Map<string, Property>()
  let path: string[] = []
  let last = ''
  let does = ''
  for (const [, opened, base, comment, property, type = '', brace] of source.matchAll(TOKEN)) {
    if (opened !== undefined) {
      properties = new Map(base === undefined ? [] : [['extends', { does: '', type: base }]])
      all.push([opened, properties])
      path = []
      last = ''
      does = ''
    } else if (comment !== undefined) does = comment.replace(/\s*\n\s*\* ?/g, ' ').trim()
    else if (property !== undefined) {
      properties.set([...path, property].join('.'), { does, type })
      last = property
      does = ''
    } else if (brace === '{') {
      if (last !== '') path.push(last)
      last = ''
    } else path.pop()
  }
  return all
}
