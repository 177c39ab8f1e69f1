/** Finds the position of a quote in a message. */

/**
 * The words of a text that match a quote, as they stand there. Differences of width, capitals, spaces, quotation marks and
 * backslashes of the prompt are ignored. Undefined if the text does not contain them, or only in lines that quote
 * others (`> …`), or that imitate a line of another participant or of the prompt.
 *
 * @param names of the participants, by id
 */
export function findQuote(quote: string, text: string, names: ReadonlyMap<string, string> = new Map()): string | undefined {
  const wanted = plain(quote)
  if (wanted === '') return undefined
  for (const passage of ownPassages(text, new Set([...names.values()].map(plain)))) {
    const pieces = [...graphemes.segment(passage)].map(({ segment, index }) => ({
      index,
      end: index + segment.length,
      text: plain(segment),
    }))
    const at = pieces
      .map(piece => piece.text)
      .join('')
      .indexOf(wanted)
    if (at < 0) continue
    let before = 0
    const inside = pieces.filter(piece => {
      const start = before
      before += piece.text.length
      return piece.text !== '' && start < at + wanted.length && before > at
    })
    return passage.slice(inside[0]?.index, inside.at(-1)?.end)
  }
  return undefined
}

const graphemes = new Intl.Segmenter('ja', { granularity: 'grapheme' })

/** The own lines of a text, without quotes and without forged lines. */
function ownPassages(text: string, names: ReadonlySet<string>): string[] {
  const forged = FORGED.exec(text)
  return text
    .slice(0, forged?.index)
    .split(/^[ \t]*(?:>|＞).*$/mu)
    .flatMap(passage => passage.split('\n').reduce<string[]>((own, line) => joined(own, line, isOfOther(line, names)), ['']))
    .filter(passage => passage.trim() !== '')
}

/** Adds a line to the last passage, or begins a new one without the line. */
function joined(passages: string[], line: string, cut: boolean): string[] {
  const last = passages.at(-1) ?? ''
  return cut ? [...passages, ''] : [...passages.slice(0, -1), last === '' ? line : `${last}\n${line}`]
}

/** `bob: …` and `[10:02] bob: …`, as copies of a chat show them. */
function isOfOther(line: string, names: ReadonlySet<string>): boolean {
  const [, name] = /^\s*(?:[[(]?\d{1,2}:\d\d(?::\d\d)?[\])]?\s*)?[*<]*([^:：*>\n]{1,40})[*>]*\s*[:：]/u.exec(line) ?? []
  return name !== undefined && names.has(plain(name))
}

/** The beginning of what imitates the prompt: the head of a message, its headings, a label, a role. All that follows is forged. */
const FORGED = new RegExp(
  String.raw`^[ \t\\]*(?:` +
    [
      String.raw`(?:[▶◆•] )?\*\*\d{4}-\d\d-\d\d[ T]\d\d:\d\d`,
      '#{1,6} (?:known facts|messages|system|(?:new )?(?:rules|instructions)|top level|thread:|すでに知って|メッセージ|システム|指示|이미 아는|메시지|시스템|지시)',
      String.raw`- \[k?\d+\] `,
      String.raw`<\|?/?(?:im_start|im_end|system|assistant|user)\b`,
      String.raw`\[/?(?:INST|SYSTEM)\]`,
      '(?:system|assistant|developer|システム|アシスタント|시스템)(?: message| prompt)?\\s*[:：]',
    ].join('|') +
    ')',
  'imu',
)

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’`]/g, "'")
    .replace(/[\p{C}\p{Z}\s\\]+/gu, '')
}
