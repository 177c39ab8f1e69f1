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

const LISTS = new Set(['ul', 'ol', 'dl'])

/** A list of at least so many links within the site, and hardly anything else, is a table of contents or a menu. */
const FEWEST_LINKS = 3
const LINKED = 0.8

/** A list that is open. */
interface List {
  /** Where its text begins. */
  readonly from: number
  links: number
  /** Characters in links. */
  linked: number
}

export function readHtml(source: string): ParsedDocument {
  const sections: DocumentSection[] = []
  const outline = new Outline()
  let title = ''
  let text = ''
  let anchor: string | undefined
  /** The heading that is being read. */
  let heading: { level: number; text: string; anchor?: string } | undefined
  const lists: List[] = []
  /** Whether the text is that of a link within the site. */
  let inLink = false
  let [leftOut, code, inTitle] = [0, 0, false]

  const close = () => {
    const content = tidy(text)
    if (content !== '') sections.push({ headings: outline.headings, ...(anchor !== undefined && { anchor }), text: content })
    text = ''
    lists.length = 0
  }

  const closeList = () => {
    const { from, links, linked } = lists.pop() ?? { from: 0, links: 0, linked: 0 }
    const length = text.slice(from).replace(/[\s-]+/g, '').length
    if (links >= FEWEST_LINKS && linked > LINKED * length) text = text.slice(0, from)
    const around = lists.at(-1)
    if (!around) return
    around.links += links
    around.linked += linked
  }

  const parser = new Parser({
    onopentag(name, { id, name: named, href }) {
      if (LEFT_OUT.has(name)) leftOut++
      if (leftOut > 0) return
      if (name === 'title') inTitle = title === ''
      const level = levelOf(name)
      const given = id || (name === 'a' ? named : undefined)
      if (level !== undefined) heading = { level, text: '', ...(given && { anchor: given }) }
      else if (heading && given && heading.anchor === undefined) heading.anchor = given
      if (name === 'a') inLink = href !== undefined && !/^[a-z][\w+.-]*:|^\/\//i.test(href)
      if (heading) return
      if (LISTS.has(name)) lists.push({ from: text.length, links: 0, linked: 0 })
      const list = lists.at(-1)
      if (inLink && name === 'a' && list) list.links++
      if (name === 'pre') code++
      if (name === 'li') text += '\n- '
      else if (name === 'td' || name === 'th') text += ' | '
      else if (name === 'br' || BLOCKS.has(name)) text += '\n'
    },
    ontext(data) {
      if (leftOut > 0) return
      const list = inLink && !heading ? lists.at(-1) : undefined
      if (list) list.linked += data.replace(/[\s-]+/g, '').length
      if (inTitle) title += data
      // The sign in a heading that links to itself is no word.
      else if (heading) heading.text += inLink && !/[\p{L}\p{N}]/u.test(data) ? '' : data
      else text += code > 0 ? data : data.replace(/\s+/g, ' ')
    },
    onclosetag(name) {
      if (LEFT_OUT.has(name)) leftOut = Math.max(0, leftOut - 1)
      if (name === 'title') inTitle = false
      if (name === 'a') inLink = false
      if (LISTS.has(name) && !heading && leftOut === 0 && lists.length > 0) closeList()
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
