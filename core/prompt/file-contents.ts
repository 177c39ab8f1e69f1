/** Writes the contents of files for a prompt. */
import type { FileContents, ModelRequest } from '../api/index.ts'
import { texts } from '../base/text/core-texts.ts'
import type { Locale } from '../base/text/texts.ts'
import { safeLine, safeName } from './transcript.ts'

/** What a user message of a model request holds of files. */
export interface FilesForPrompt {
  /** A section for each text, and a line for each file that could not be read. Empty: there is neither. */
  readonly text: string
  /** The fields of the user message, for pictures and recordings. */
  readonly media: Pick<ModelRequest['messages'][number], 'images' | 'audio' | 'withoutMedia'>
}

/** The text stands in fences that no line of the file can close. */
export function formatFiles({ images, audio, texts: read, unreadable }: FileContents, locale: Locale): FilesForPrompt {
  if (images.length + audio.length + read.length + unreadable.length === 0) return { text: '', media: {} }
  const say = texts(locale)
  const sections = read.map(({ name, text, note }) => {
    const named = { name: safeName(name) }
    const heading = note === undefined ? say('files.contents', named) : say('files.contentsPart', { ...named, note })
    return `${heading}\n\n${fenced(text)}`
  })
  const lines = unreadable.map(({ name, why }) => say('files.unreadable', { name: safeName(name), why: safeLine(why) }))
  const media = {
    ...(images.length > 0 && { images }),
    ...(audio.length > 0 && { audio }),
    ...(images.length + audio.length > 0 && { withoutMedia: say('files.withoutMedia') }),
  }
  return { text: [...sections, ...(lines.length > 0 ? [lines.join('\n')] : [])].join('\n\n'), media }
}

function fenced(text: string): string {
  const lines = text
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    // Direction marks, tags and other invisible characters are removed; the joiner of emoji stays.
    .replace(/(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .trimEnd()
  const longest = Math.max(2, ...[...lines.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${lines}\n${fence}`
}
