/** Reads Markdown, and plain text as Markdown without headings. */
import { type DocumentSection, Outline, type ParsedDocument } from './sections.ts'

export function readMarkdown(source: string): ParsedDocument {
  const lines = source.replace(/^\uFEFF/, '').split(/\r?\n/)
  const sections: DocumentSection[] = []
  const outline = new Outline()
  const slug = slugger()
  let title = ''
  let anchor: string | undefined
  let text: string[] = []
  let fence: string | undefined

  const close = () => {
    const content = text.join('\n').trim()
    if (content !== '') sections.push({ headings: outline.headings, ...(anchor !== undefined && { anchor }), text: content })
    text = []
  }

  for (let at = afterFrontMatter(lines); at < lines.length; at++) {
    const line = lines[at] ?? ''
    const [, opening] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== undefined) {
      if (opening?.startsWith(fence)) fence = undefined
    } else if (opening !== undefined) fence = opening
    const found = fence === undefined && opening === undefined ? headingAt(lines, at) : undefined
    if (!found) {
      text.push(plain(line, fence !== undefined))
      continue
    }
    close()
    outline.open(found.level, found.heading)
    anchor = slug(found.heading)
    if (title === '') title = found.heading
    at += found.lines - 1
  }
  close()
  return { title, sections }
}

/** The line after the front matter, which is no text for people. */
function afterFrontMatter(lines: readonly string[]): number {
  if (lines[0]?.trim() !== '---') return 0
  const end = lines.findIndex((line, at) => at > 0 && line.trim() === '---')
  return end < 0 ? 0 : end + 1
}

function headingAt(lines: readonly string[], at: number): { level: number; heading: string; lines: number } | undefined {
  const line = (lines[at] ?? '').slice(0, 500)
  const [, hashes] = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line) ?? []
  if (hashes !== undefined) {
    const heading = inline(
      line
        .trim()
        .slice(hashes.length)
        .trim()
        .replace(/[ \t]#+$/, ''),
    )
    return heading === '' ? undefined : { level: hashes.length, heading, lines: 1 }
  }
  const under = (lines[at + 1] ?? '').slice(0, 500).trim()
  const isParagraph = /^ {0,3}[^\s>|#*+-]/.test(line) && (lines[at - 1] ?? '').trim() === ''
  if (!isParagraph || !(/^={2,}$/.test(under) || /^-{3,}$/.test(under))) return undefined
  return { level: under.startsWith('=') ? 1 : 2, heading: inline(line.trim()), lines: 2 }
}

/** A line without comments and without the addresses of its links, which are no words. */
function plain(line: string, isCode: boolean): string {
  if (isCode || line.length > 10_000) return line
  return line.replace(/<!--.{0,2000}?-->/g, '').replace(/(?<=\])\([^()\s]{1,500}\)/g, '')
}

function inline(heading: string): string {
  return plain(heading, false)
    .replace(/[`*[\]]/g, '')
    .trim()
}

/** Makes the anchors of headings as GitHub does. */
function slugger(): (heading: string) => string {
  const used = new Map<string, number>()
  return heading => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    const times = used.get(slug) ?? 0
    used.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  }
}
