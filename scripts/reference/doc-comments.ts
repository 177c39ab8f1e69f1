/** The doc comments of a schema, which editors show. The reference and the dashboard use the same comments. */

interface Property {
  readonly does: string
  /** The first name of its value: another schema, or none. */
  readonly value: string
}

/**
 * By path, such as `pacing.minWait`. A property whose value is another schema of these sources has the properties of that schema
 * too. A source is formatted, so that each property of a schema has a line of its own.
 */
export function docComments(sources: readonly string[], name: string): ReadonlyMap<string, string> {
  const known = new Map(sources.flatMap(schemasIn))
  const found = new Map<string, string>()

  function add(one: string, above: string): void {
    for (const [key, { does, value }] of known.get(one) ?? []) {
      const path = key.startsWith('...') ? above : `${above}${key}.`
      if (does !== '') found.set(`${above}${key}`, does)
      add(value, path)
    }
  }

  add(name, '')
  return found
}

/** `const limits = z.strictObject({`, or the `z` alone with the rest in the next line. */
const SCHEMA = /^(?:export )?const (\w+) = z$|^(?:export )?const (\w+) = z\.strictObject\(\{$/

/** `/** … *\/`, then `name: value`, or `name,`, or `...other.shape`. */
const PROPERTY = /(?:\/\*\*(?<does>.*?)\*\/\s*)?^ {2,4}(?<key>\w+|\.\.\.)(?:: )?(?<value>\w*)/gms

function schemasIn(source: string): [name: string, properties: Map<string, Property>][] {
  return source.split(/\n\n(?=\S)/).flatMap(part => {
    const [, first, second] =
      SCHEMA.exec(part.split('\n').find(line => line.startsWith('const ') || line.startsWith('export const ')) ?? '') ?? []
    const name = first ?? second
    if (name === undefined) return []
    const body = part.slice(part.indexOf('({') + 2)
    const properties = Array.from(body.matchAll(PROPERTY), ({ groups: { does = '', key = '', value = '' } = {} }) => {
      const about = { does: does.replace(/\s*\n\s*\* ?/g, ' ').trim(), value: value || key }
      return [key === '...' ? `...${value}` : key, about] as const
    })
    return [[name, new Map(properties)]]
  })
}
