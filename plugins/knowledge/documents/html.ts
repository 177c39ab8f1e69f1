/** Reads HTML: its headings with their anchors, and its text. */
import { Parser } from 'htmlparser2'
import { type DocumentSection, Outline, type ParsedDocument } from './sections.ts'

/** Elements whose content is no text of the document. */
const LEFT_OUT = new Set(['script', 'style', 'noscript', 'template', 'svg', 'nav', 'footer', 'iframe', 'select', 'button'])

const BLOCKS = new Set(
  'address article aside blockquote body caption dd details div dl dt fieldset figcaption figure form h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)

export function readHtml(source: string): ParsedDocument {
  const sections: DocumentSection[] = []
  const outline = new Outline()
  let title = ''
  let text = ''
  let anchor: string | undefined
  /** The heading that is being read. */
  let heading: { level: number; text: string; anchor?: string } | undefined
  let [leftOut, code, inTitle] = [0, 0, false]

  const close = () => {
    const content = tidy(text)
    if (content !== '') sections.push({ headings: outline.headings, ...(anchor !== undefined && { anchor }), text: content })
    text = ''
  }

  const parser = new Parser({
    onopentag(name, { id, name: named }) {
      if (LEFT_OUT.has(name)) leftOut++
      if (leftOut > 0) return
      if (name === 'title') inTitle = title === ''
      const level = levelOf(name)
      const given = id || (name === 'a' ? named : undefined)
      if (level !== undefined) heading = { level, text: '', ...(given && { anchor: given }) }
      else if (heading && given && heading.anchor === undefined) heading.anchor = given
      if (heading) return
      if (name === 'pre') code++
      if (name === 'li') text += '\n- '
      else if (name === 'td' || name === 'th') text += ' | '
      else if (name === 'br' || BLOCKS.has(name)) text += '\n'
    },
    ontext(data) {
      if (leftOut > 0) return
      if (inTitle) title += data
      else if (heading) heading.text += data
      else text += code > 0 ? data : data.replace(/\s+/g, ' ')
    },
    onclosetag(name) {
      if (LEFT_OUT.has(name)) leftOut = Math.max(0, leftOut - 1)
      if (name === 'title') inTitle = false
      if (heading && levelOf(name) !== undefined) {
        const words = oneLine(heading.text)
        if (words !== '') {
          close()
          outline.open(heading.level, words)
          anchor = heading.anchor
        }
        heading = undefined
      } else if (name === 'pre') code = Math.max(0, code - 1)
      if (!heading && leftOut === 0 && BLOCKS.has(name) && name !== 'td' && name !== 'th') text += '\n'
    },
  })
  parser.end(source)
  close()
  return { title: oneLine(title) || (sections[0]?.headings[0] ?? ''), sections }
}

function levelOf(name: string): number | undefined {
  return /^h[1-6]$/.test(name) ? Number(name[1]) : undefined
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300)
}

/** Without empty lines, and without the bar before the first cell of a row. */
function tidy(text: string): string {
  return text
    .split('\n')
    .map(line => line.trim().replace(/^\| /, '').trimEnd())
    .filter(line => line !== '' && line !== '-' && line !== '|')
    .join('\n')
}
