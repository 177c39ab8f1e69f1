/** Parses documents in a worker: what takes too much time or memory ends the worker, not the bot. */
import { parentPort } from 'node:worker_threads'
import { readHtml } from './html.ts'
import { readMarkdown } from './markdown.ts'
import { passagesOf } from './passages.ts'
import { readPdf } from './pdf.ts'
import type { DocumentKind, ParsedDocument } from './sections.ts'
import { Unreadable } from './unreadable.ts'

export interface WorkerJob {
  readonly kind: DocumentKind
  readonly bytes: Uint8Array
}

parentPort?.on('message', async ({ kind, bytes }: WorkerJob) => {
  try {
    const parsed = await parse(kind, bytes)
    parentPort?.postMessage({ title: parsed.title, passages: passagesOf(parsed) })
  } catch (error) {
    parentPort?.postMessage({ problem: error instanceof Error ? error.message : 'it is damaged' })
  }
})

function parse(kind: DocumentKind, bytes: Uint8Array): Promise<ParsedDocument> | ParsedDocument {
  if (kind === 'pdf') return readPdf(bytes)
  const text = textOf(bytes)
  return kind === 'html' ? readHtml(text) : readMarkdown(text)
}

/** UTF-8, or what a byte order mark or the head of an HTML page says. */
function textOf(bytes: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024))
  const marked = head.startsWith('ÿþ') ? 'utf-16le' : head.startsWith('þÿ') ? 'utf-16be' : undefined
  const named = /<meta[^>]{0,200}charset=["']?([\w-]{1,40})/i.exec(head)?.[1]
  const text = decoderOf(marked ?? named ?? 'utf-8').decode(bytes)
  if (text.includes('\0')) throw new Unreadable('it is no text')
  return text
}

function decoderOf(name: string) {
  try {
    return new TextDecoder(name)
  } catch {
    return new TextDecoder()
  }
}
