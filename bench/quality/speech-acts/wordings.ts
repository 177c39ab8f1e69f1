/**
 * Wordings that the training does not have. A line `= class | names of the bot | people` begins a list; an empty line separates families of
 * wordings; `text << by: line before` gives the line before the message.
 */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'

export interface Wording {
  /** An act, or the use of a name. */
  readonly class: string
  readonly lang: string
  readonly text: string
  readonly names: readonly string[]
  readonly people: readonly string[]
  readonly before?: { readonly text: string; readonly by: 'bot' | 'same' | 'other' }
}

const SHAPE = z.array(
  z.object({
    class: z.string(),
    lang: z.string(),
    text: z.string(),
    names: z.array(z.string()),
    people: z.array(z.string()),
    before: z.object({ text: z.string(), by: z.enum(['bot', 'same', 'other']) }).optional(),
  }),
)

/** @param file JSON, or a list with the language before the extension: `first.ja.txt` */
export async function readWordings(file: string): Promise<readonly Wording[]> {
  const text = await readFile(file, 'utf8')
  if (file.endsWith('.json')) return SHAPE.parse(JSON.parse(text)) as readonly Wording[]
  const lang = /\.([a-z]{2})\.txt$/.exec(file)?.[1]
  if (lang === undefined)
    throw new Error(`${file}: a list of wordings has its language before the extension, as in first.ja.txt.`)
  let head: Pick<Wording, 'class' | 'names' | 'people'> | undefined
  return text.split('\n').flatMap((line, at) => {
    if (line.startsWith('= ')) {
      const [is = '', names = '', people = ''] = line.slice(2).split(' | ')
      head = { class: is.trim(), names: names.split(', '), people: people.split(', ') }
      return []
    }
    if (line.trim() === '') return []
    if (!head) throw new Error(`${file}:${at + 1}: a line "= class | names | people" comes first.`)
    const [, said = '', by, before] = /^(.*?)(?: << (bot|same|other): (.*))?$/.exec(line) ?? []
    return [
      {
        ...head,
        lang,
        text: said,
        ...(before !== undefined && { before: { text: before, by: by as 'bot' | 'same' | 'other' } }),
      },
    ]
  })
}
