/** What a file is, by its first bytes: names and media types of files can lie. */

export type Kind =
  /** A picture or a recording for a model, with its media type. */
  | { readonly kind: 'image' | 'audio'; readonly type: string }
  | { readonly kind: 'gif' | 'pdf' | 'text' }
  /** What is not read. */
  | { readonly kind: 'archive' | 'document' | 'program' | 'video' | 'unknown'; readonly type: string }

/** The start of a file: bytes, or letters of ASCII where `.` is any byte. */
const STARTS: readonly (readonly [string, Kind])[] = [
  ['\x89PNG\r\n\x1a\n', { kind: 'image', type: 'image/png' }],
  ['\xff\xd8\xff', { kind: 'image', type: 'image/jpeg' }],
  ['RIFF....WEBP', { kind: 'image', type: 'image/webp' }],
  ['GIF87a', { kind: 'gif' }],
  ['GIF89a', { kind: 'gif' }],
  ['%PDF-', { kind: 'pdf' }],
  ['OggS', { kind: 'audio', type: 'audio/ogg' }],
  ['ID3', { kind: 'audio', type: 'audio/mp3' }],
  ['\xff\xfb', { kind: 'audio', type: 'audio/mp3' }],
  ['\xff\xfa', { kind: 'audio', type: 'audio/mp3' }],
  ['\xff\xf3', { kind: 'audio', type: 'audio/mp3' }],
  ['\xff\xf2', { kind: 'audio', type: 'audio/mp3' }],
  ['RIFF....WAVE', { kind: 'audio', type: 'audio/wav' }],
  ['RIFF....AVI ', { kind: 'video', type: 'video/x-msvideo' }],
  ['PK\x03\x04', { kind: 'archive', type: 'application/zip' }],
  ['PK\x05\x06', { kind: 'archive', type: 'application/zip' }],
  ['\x1f\x8b', { kind: 'archive', type: 'application/gzip' }],
  ['BZh', { kind: 'archive', type: 'application/x-bzip2' }],
  ['\xfd7zXZ\0', { kind: 'archive', type: 'application/x-xz' }],
  ['7z\xbc\xaf\x27\x1c', { kind: 'archive', type: 'application/x-7z-compressed' }],
  ['Rar!\x1a\x07', { kind: 'archive', type: 'application/vnd.rar' }],
  ['\x28\xb5\x2f\xfd', { kind: 'archive', type: 'application/zstd' }],
  ['\xd0\xcf\x11\xe0', { kind: 'document', type: 'application/x-ole-storage' }],
  ['MZ', { kind: 'program', type: 'application/x-msdownload' }],
  ['\x7fELF', { kind: 'program', type: 'application/x-elf' }],
  ['\xcf\xfa\xed\xfe', { kind: 'program', type: 'application/x-mach-binary' }],
]

/** How many bytes of a file show whether it is text. */
const HEAD = 64 * 1024

export function kindOf(bytes: Buffer): Kind {
  const text = textIn(bytes.subarray(0, HEAD)) !== undefined
  // "MZ", "BZh" and "ID3" can also begin a text.
  const [, found] = STARTS.find(([start]) => startsWith(bytes, start)) ?? []
  if (found && !(text && found.kind !== 'pdf')) return officeOf(bytes) ?? found
  if (text) return { kind: 'text' }
  if (bytes.subarray(4, 8).equals(Buffer.from('ftyp'))) return mp4Of(bytes)
  if (startsWith(bytes, '\x1a\x45\xdf\xa3')) return webmOf(bytes)
  if (bytes.subarray(257, 262).equals(Buffer.from('ustar'))) return { kind: 'archive', type: 'application/x-tar' }
  return { kind: 'unknown', type: 'application/octet-stream' }
}

/** The bytes as UTF-8 without NUL, or nothing. A character that is cut at the end is left out. */
export function textIn(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

/** Whether a text is a page for browsers. */
export function isWebPage(text: string): boolean {
  return /^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html)\b/i.test(text)
}

function startsWith(bytes: Buffer, start: string): boolean {
  return bytes.length >= start.length && [...start].every((letter, at) => letter === '.' || bytes[at] === letter.charCodeAt(0))
}

/** A Word, Excel or PowerPoint file: a zip whose first entry describes its parts. */
function officeOf(bytes: Buffer): Kind | undefined {
  const first = startsWith(bytes, 'PK\x03\x04') ? bytes.subarray(30, 60).toString('latin1') : ''
  if (first.startsWith('[Content_Types].xml')) return { kind: 'document', type: 'application/vnd.openxmlformats' }
  if (first.startsWith('mimetypeapplication/')) return { kind: 'document', type: 'application/vnd.oasis.opendocument' }
  return undefined
}

/** A box `hdlr` names each track: `soun`, `vide`. */
function mp4Of(bytes: Buffer): Kind {
  const brand = bytes.subarray(8, 12).toString('latin1')
  if (/^(?:avif|avis|heic|heix|mif1)$/.test(brand))
    return { kind: 'unknown', type: brand === 'avif' ? 'image/avif' : 'image/heic' }
  let sounds = brand === 'M4A '
  for (let at = bytes.indexOf('hdlr'); at >= 0; at = bytes.indexOf('hdlr', at + 4)) {
    const handler = bytes.subarray(at + 12, at + 16).toString('latin1')
    if (handler === 'vide') return { kind: 'video', type: 'video/mp4' }
    sounds ||= handler === 'soun'
  }
  return sounds ? { kind: 'audio', type: 'audio/mp4' } : { kind: 'video', type: 'video/mp4' }
}

/** The codecs stand near the start. */
function webmOf(bytes: Buffer): Kind {
  const head = bytes.subarray(0, HEAD).toString('latin1')
  const sounds = /A_(?:OPUS|VORBIS)/.test(head) && !/V_(?:VP8|VP9|AV1|MPEG)/.test(head)
  return sounds ? { kind: 'audio', type: 'audio/webm' } : { kind: 'video', type: 'video/webm' }
}
