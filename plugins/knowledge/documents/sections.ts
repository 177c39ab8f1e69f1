/** What the parsers make of a document. */

/** A part of a document under one heading. */
export interface DocumentSection {
  /** The headings above it, from the widest to its own. Empty: before the first heading. */
  readonly headings: readonly string[]
  /** The fragment of an address that leads to it, without `#`. Absent: the document has none. */
  readonly anchor?: string
  readonly text: string
}

export interface ParsedDocument {
  /** Empty: the document names none. */
  readonly title: string
  readonly sections: readonly DocumentSection[]
}

export const KINDS = ['markdown', 'html', 'pdf'] as const
export type DocumentKind = (typeof KINDS)[number]

const EXTENSIONS: Readonly<Record<string, DocumentKind>> = {
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  txt: 'markdown',
  text: 'markdown',
  rst: 'markdown',
  adoc: 'markdown',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  pdf: 'pdf',
}

/** How a file is read, by its name. Undefined: it is no document. A plain text is Markdown without headings. */
export function kindOfName(name: string): DocumentKind | undefined {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined
}

/** How a page is read, by its media type. Undefined: it is no document. */
export function kindOfType(type: string): DocumentKind | undefined {
  if (/^(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) return 'html'
  if (/^application\/pdf\b/i.test(type)) return 'pdf'
  return /^text\//i.test(type) ? 'markdown' : undefined
}

/** The headings of the place that a parser has reached. */
export class Outline {
  readonly #open: { readonly level: number; readonly heading: string }[] = []

  /** Opens a heading, and closes those of its level and below. */
  open(level: number, heading: string): void {
    while ((this.#open.at(-1)?.level ?? 0) >= level) this.#open.pop()
    this.#open.push({ level, heading })
  }

  get headings(): readonly string[] {
    return this.#open.map(({ heading }) => heading)
  }
}
