/** The text without the call of the bot at both ends. */

const GREETING = String.raw`(?:(?:hey|hi|hello|ok|okay|yo|ねえ|ねぇ|おーい)[\s,、]*)?`
const HONORIFIC = '(?:-?(?:san|chan|kun)|さん|ちゃん|くん|君|님|씨|아|야)?'

/** Characters at the end of a text in which the name is looked for. */
const END = 100

export function withoutName(given: string, names: readonly string[]): string {
  let text = given.replace(/<[@#:a][^<>\s]*>/g, ' ').trim()
  for (const name of names.filter(one => one.trim() !== '').toSorted((a, b) => b.length - a.length)) {
    const escaped = name.trim().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    const ends = /\w$/.test(name) ? String.raw`(?![\p{L}\d])` : ''
    text = text.replace(new RegExp(`^${GREETING}@?${escaped}${HONORIFIC}${ends}[\\s,.:;!、。，：！]*`, 'iu'), '')
    const last = new RegExp(`[\\s,、]@?${escaped}${HONORIFIC}[\\s.!?。！？]*$`, 'iu')
    text = (text.slice(0, -END) + text.slice(-END).replace(last, '')).trim()
  }
  return text
}
