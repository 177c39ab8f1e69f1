/** Reads the text of a PDF file, page by page. */
import type { DocumentSection, ParsedDocument } from './sections.ts'

/** Pages that are read, and characters of all of them. */
const PAGES = 1_000
const LONGEST = 4_000_000

export async function readPdf(bytes: Uint8Array): Promise<ParsedDocument> {
  const { getDocumentProxy } = await import('unpdf')
  const pdf = await getDocumentProxy(bytes, { verbosity: 0 })
  const sections: DocumentSection[] = []
  let read = 0
  for (let number = 1; number <= Math.min(pdf.numPages, PAGES) && read < LONGEST; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const text = items.map(item => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
    page.cleanup()
    read += text.length
    if (text.trim() !== '') sections.push({ headings: [`p. ${number}`], anchor: `page=${number}`, text: text.trim() })
  }
  const { info } = await pdf.getMetadata()
  const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim().slice(0, 300) : ''
  return { title, sections }
}
