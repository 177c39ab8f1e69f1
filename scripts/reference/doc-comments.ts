/** The doc comments of interfaces, which editors show: the reference takes them from the same place. */

interface Property {
  readonly does: string
  /** The first name in its type. */
  readonly type: string
}

/** By path, such as `pacing.minWait`. Properties whose type is another interface of these sources have those of that too. */
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

/** What stands in the source of an interface: its name, comments, properties, and where a nested object begins and ends. */
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
