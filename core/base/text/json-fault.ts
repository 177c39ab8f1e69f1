/** Where a text stops being JSON. The messages of JSON.parse often lack the position, and quote the text. */

const TOKEN =
  /[ \t\r\n]*("(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:])/uy
const SPACE = /[ \t\r\n]*/y

export interface JsonFault {
  /** `unexpected "}"` */
  readonly what: string
  readonly line: number
  readonly column: number
}

/** Nothing: the text is JSON. */
export function jsonFaultAt(text: string): JsonFault | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch {
    const at = faultIn(text)
    const before = text.slice(0, at).split('\n')
    const found = [...text.slice(at, at + 2)][0]
    const what = found === undefined ? 'it ends too early' : `unexpected ${JSON.stringify(found)}`
    return { what, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  }
}

/** One sentence with the line and the column. Nothing: the text is JSON. */
export function jsonFault(text: string): string | undefined {
  const fault = jsonFaultAt(text)
  return fault && `${fault.what} in line ${fault.line}, column ${fault.column}`
}

/** The index of the first character that cannot stand there. */
function faultIn(text: string): number {
  /** What has been opened, from outside to inside. */
  const open: ('{' | '[')[] = []
  let wanted: 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end' = 'value'
  for (let at = 0; ; ) {
    SPACE.lastIndex = at
    const begin = at + (SPACE.exec(text)?.[0].length ?? 0)
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)?.[1]
    const inside = open.at(-1)
    if (token === undefined || (wanted === ', or end' && inside === undefined)) return begin
    at = TOKEN.lastIndex
    const isEnd =
      token === (inside === '{' ? '}' : ']') && [', or end', inside === '{' ? 'name or }' : 'value or ]'].includes(wanted)
    const isValue = wanted === 'value' || wanted === 'value or ]'
    if (isEnd) {
      open.pop()
      wanted = ', or end'
    } else if (isValue && (token === '{' || token === '[')) {
      open.push(token)
      wanted = token === '{' ? 'name or }' : 'value or ]'
    } else if (isValue && !/^[}\],:]$/.test(token)) wanted = ', or end'
    else if (wanted.startsWith('name') && token.startsWith('"')) wanted = ':'
    else if (wanted === ':' && token === ':') wanted = 'value'
    else if (wanted === ', or end' && token === ',') wanted = inside === '{' ? 'name' : 'value'
    else return begin
  }
}
