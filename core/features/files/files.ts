/** Files of messages in the form for models: pictures and recordings as data URLs, and texts. */
import type {
  Attachment,
  Conversation,
  FileContents,
  FileText,
  HeldFile,
  Models,
  Platform,
  Role,
  UnreadableFile,
} from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { texts } from '../../base/text/core-texts.ts'
import { FALLBACK, type Locale } from '../../base/text/texts.ts'
import { withTimeout } from '../../base/timeout.ts'
import { pdfTextOf, pngOf } from './convert.ts'
import { type Download, download, typeOf } from './fetch.ts'
import { isWebPage, kindOf, textIn } from './kinds.ts'
import { Unreadable, type Why } from './unreadable.ts'

/** What an operator can look into. */
const FAULTS: ReadonlySet<Why> = new Set(['late', 'status', 'webPage', 'notFetched', 'notTranscribed'])

const MOST = 8
const MB = 1024 * 1024
const MAX_BYTES = 10 * MB
const TEXT_BYTES = 64 * 1024
/** Pictures and recordings together. Gemini takes requests of 20 MB, and base64 adds a third. */
const MEDIA_BYTES = 14 * MB
/** All texts together, in UTF-16 code units: about 30,000 tokens. */
const TEXTS = 128 * 1024
const FILE_MS = 10_000
/** With the transcription. */
const ALL_MS = 20_000

/** What the models of a bot do with recordings. */
export interface Ears extends Pick<Models, 'transcribe' | 'transcribes'> {
  takesAudio(role: Role): boolean
}

export interface FilesOptions {
  readonly platform: Pick<Platform, 'fetchAttachment'>
  readonly conversation: Conversation
  readonly models: Ears
  readonly clock: Clock
  readonly log: Logger
  readonly locale: Locale
  readonly role?: Role
  readonly signal?: AbortSignal | undefined
}

type Content =
  | { readonly kind: 'image' | 'audio'; readonly type: string; readonly bytes: Uint8Array }
  | { readonly kind: 'text'; readonly text: string; readonly note?: string }

/** It rejects only with the reason of `signal`. */
export async function readFiles(attachments: readonly (Attachment | HeldFile)[], options: FilesOptions): Promise<FileContents> {
  if (attachments.length === 0) return { images: [], audio: [], texts: [], unreadable: [] }
  const { clock, log, locale, signal } = options
  const say = texts(locale)
  const until = clock.now() + ALL_MS
  const images: string[] = []
  const audio: string[] = []
  const read: FileText[] = []
  const unreadable: UnreadableFile[] = []
  let media = 0
  let letters = 0

  const contents = await Promise.all(
    attachments.slice(0, MOST).map(async attachment => {
      try {
        return await contentOf(attachment, until, options)
      } catch (error) {
        signal?.throwIfAborted()
        const unreadable = error instanceof Unreadable ? error : new Unreadable('notFetched')
        const why = error === unreadable ? texts(FALLBACK)(`files.why.${unreadable.why}`, unreadable.values) : reason(error)
        if (FAULTS.has(unreadable.why)) log.warn(`a file is left out: ${why}`)
        return unreadable
      }
    }),
  )
  for (const [index, attachment] of attachments.entries()) {
    const name = nameOf(attachment)
    let content = contents[index] ?? new Unreadable('tooMany', { count: MOST })
    if ('bytes' in content) {
      media += content.bytes.length
      if (media > MEDIA_BYTES) content = new Unreadable('tooMuch')
    } else if ('text' in content) {
      letters += content.text.length
      if (letters > TEXTS) content = new Unreadable('tooMuch')
    }
    if (content instanceof Unreadable) unreadable.push({ name, why: say(`files.why.${content.why}`, content.values) })
    else if (content.kind === 'text') read.push({ name, text: content.text, ...(content.note && { note: content.note }) })
    else (content.kind === 'image' ? images : audio).push(dataUrl(content.type, content.bytes))
  }
  return { images, audio, texts: read, unreadable }
}

async function contentOf(attachment: Attachment | HeldFile, until: number, options: FilesOptions): Promise<Content> {
  const { models, clock, signal, locale, role = 'chat' } = options
  const late = () => new Unreadable('late', { seconds: FILE_MS / 1_000 })
  const content = await withTimeout({ clock, ms: FILE_MS, late, signal }, async ended => {
    const found = 'data' in attachment ? held(attachment) : await fetched(attachment, options, ended)
    return converted(attachment, found, locale, ended)
  })
  if (content.kind !== 'audio' || models.takesAudio(role)) return content
  if (!models.transcribes) throw new Unreadable('noAudio')
  const { bytes: data, type } = content
  const notDone = () => new Unreadable('notTranscribed')
  try {
    const ms = until - clock.now()
    const text = await withTimeout({ clock, ms, late: notDone, signal }, ended =>
      models.transcribe({ data, type }, { signal: ended }),
    )
    return { kind: 'text', text: firstBytes(text), note: texts(locale)('files.note.transcript') }
  } catch (error) {
    signal?.throwIfAborted()
    throw error instanceof KikimimiError ? notDone() : error
  }
}

function fetched(attachment: Attachment, { platform, conversation }: FilesOptions, ended: AbortSignal): Promise<Download> {
  const own = (within: AbortSignal) => platform.fetchAttachment?.(attachment, within, conversation)
  return download(attachment, own, { max: MAX_BYTES, head: TEXT_BYTES }, ended)
}

function held({ data, type }: HeldFile): Download {
  const bytes = Buffer.from(data.buffer, data.byteOffset, Math.min(data.length, MAX_BYTES))
  return { bytes, size: data.length, isWhole: data.length <= MAX_BYTES, type: typeOf(type) }
}

/** The content of a file, which decides what the file is. */
async function converted(
  attachment: Attachment | HeldFile,
  found: Download,
  locale: Locale,
  signal: AbortSignal,
): Promise<Content> {
  const say = texts(locale)
  const { bytes, isWhole } = found
  const size = sizeOf(found.size)
  if (bytes.length === 0) throw new Unreadable('empty')
  // A login page has status 200 too.
  if (found.type === 'text/html' && !isMarkup(attachment)) throw new Unreadable('webPage')
  const { kind, ...more } = kindOf(bytes)
  if (kind === 'text') {
    const text = firstBytes(bytes)
    if (isWebPage(text) && !isMarkup(attachment)) throw new Unreadable('webPage')
    return found.size > TEXT_BYTES ? { kind, text, note: say('files.note.cut', { size }) } : { kind, text }
  }
  const type = 'type' in more ? more.type : ''
  if (kind !== 'image' && kind !== 'audio' && kind !== 'gif' && kind !== 'pdf') throw new Unreadable(kind, { type, size })
  if (!isWhole) throw new Unreadable('tooLarge', { size: sizeOf(MAX_BYTES) })
  if (kind === 'image' || kind === 'audio') return { kind, type, bytes }
  if (kind === 'gif') return { kind: 'image', type: 'image/png', bytes: await pngOf(bytes, signal) }
  const { text, pages, read } = await pdfTextOf(bytes, signal)
  if (text === '') throw new Unreadable('noText')
  return { kind: 'text', text: firstBytes(text), ...(read < pages && { note: say('files.note.pages', { read, pages }) }) }
}

/** As much of a text as is read. */
function firstBytes(text: Buffer | string): string {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  return textIn(bytes.subarray(0, TEXT_BYTES)) ?? ''
}

/** Whether a file says itself that it may be a page of HTML. */
function isMarkup({ type, name = '' }: Attachment | HeldFile): boolean {
  return /^text\/(?!plain)|html/.test(typeOf(type)) || /\.x?html?$/i.test(name)
}

function nameOf({ name, ...file }: Attachment | HeldFile): string {
  return (
    name ??
    URL.parse('url' in file ? file.url : '')
      ?.pathname.split('/')
      .at(-1) ??
    ''
  )
}

function dataUrl(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`
}

function sizeOf(bytes: number): string {
  const [unit, name] = bytes < 1024 ? [1, 'B'] : bytes < MB ? [1024, 'kB'] : [MB, 'MB']
  return `${Math.round((bytes / unit) * 10) / 10} ${name}`
}
