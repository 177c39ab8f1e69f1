/** A digest that a model writes from numbered excerpts. Its lines cite them by number; the numbers become links. */
import { estimateTokens, type Locale, type ModelRequest, type PluginContext, safeLine, safeName } from 'kikimimi'
import type { Said } from '../log/said.ts'
import type { Chosen } from '../talk/choose.ts'
import { type Citing, short } from './cite.ts'

/** Limits of what a model reads, and of one message of it, in tokens and characters. */
const TOKENS = 5_000
const EXCERPT = 300
/** Messages of one talk. */
const OF_TALK = 12
/** Maximum number of tokens that it writes. */
const WRITES = 700
/** Maximum length of a heading. A longer line without a source is left out. */
const HEADING = 60

/** The messages that a model reads, talk by talk, without those of bots. */
export function excerptsOf({ forYou, decided, open, whole }: Chosen): readonly (readonly Said[])[] {
  const wanted = new Set([...forYou, ...decided, ...open])
  let left = TOKENS
  return whole
    .map(({ said }) =>
      spread(
        said.filter(({ bot }) => !bot),
        wanted,
      ),
    )
    .map(group =>
      group.filter(({ text }) => {
        left -= estimateTokens(text.slice(0, EXCERPT)) + 15
        return left > 0
      }),
    )
    .filter(group => group.length > 0)
}

/** Evenly spread messages of a long talk, the first and the last among them, and those that have to be told. */
function spread(said: readonly Said[], wanted: ReadonlySet<Said>): readonly Said[] {
  if (said.length <= OF_TALK) return said
  const kept = new Set(Array.from({ length: OF_TALK }, (_, at) => said[Math.round((at * (said.length - 1)) / (OF_TALK - 1))]))
  return said.filter(one => kept.has(one) || wanted.has(one))
}

export interface ModelOptions {
  readonly excerpts: readonly (readonly Said[])[]
  /** The reader and the messages for that person. Absent: a digest for a channel. */
  readonly reader?: { readonly name: string; readonly forYou: readonly Said[] } | undefined
  readonly place: string
  readonly since: string
  readonly locale: Locale
  /** The name of the bot in the place of the digest. */
  readonly name: string
  readonly someone: string
  readonly request: Pick<ModelRequest, 'signal' | 'conversation' | 'turn'>
}

/** @returns what the model wrote. Rejects when it cannot. */
export function askModel({ models, prompt }: PluginContext, options: ModelOptions): Promise<string> {
  const { name, excerpts, reader, place, since, locale, someone, request } = options
  let number = 0
  const lines = excerpts.map(group =>
    group.map(({ author, text, place }) => {
      number++
      return `[${number}] #${safeName(place)} ${safeName(author.name) || someone}: ${short(safeLine(text), EXCERPT)}`
    }),
  )
  const all = excerpts.flat()
  const forYou = reader?.forYou.map(said => all.indexOf(said) + 1).filter(found => found > 0) ?? []
  const values = {
    place: safeName(place),
    since,
    reader: reader ? safeName(reader.name) || someone : '-',
    forYou: forYou.length > 0 ? forYou.map(one => `[${one}]`).join(' ') : '-',
    excerpts: lines.map(group => group.join('\n')).join('\n\n'),
  }
  return models.text('summary', {
    ...request,
    system: prompt('digest.system', { name }, locale),
    messages: [{ role: 'user', text: prompt('digest.user', values, locale) }],
    maxTokens: WRITES,
  })
}

const IS_HEADING = /^(?:\*\*|#)|[:：]\**$/

const NUMBERS = /[[【［]\s*(\d{1,3}(?:\s*[,、，]\s*\d{1,3}){0,9})\s*[\]】］]/g

/**
 * What a model wrote, with links in place of the numbers. Numbers of no excerpt are removed, and so are lines without a source,
 * headings without lines, and addresses of the model's own.
 * @returns undefined: no line has a source
 */
export function linked(
  written: string,
  excerpts: readonly Said[],
  { citing, length }: { readonly citing: Citing; readonly length: number },
): { readonly text: string; readonly cited: readonly Said[] } | undefined {
  const cited = new Set<Said>()
  const kept: string[] = []
  let heading: string | undefined
  let left = length
  for (const line of written.slice(0, 8_000).split('\n')) {
    const own = new Set<Said>()
    const text = plain(line)
      .replace(NUMBERS, (_, numbers: string) => {
        const found = numbers.split(/[,、，]/).flatMap(one => excerpts[Number(one) - 1] ?? [])
        for (const one of found) own.add(one)
        return found.map(one => citing.link(one)).join(' ')
      })
      .replace(/\s+(?=[\s.,。、])/g, '')
      .trimEnd()
    if (own.size === 0) {
      if (IS_HEADING.test(text) && text.length <= HEADING) heading = text
      continue
    }
    const added = heading === undefined ? [text] : [heading, text]
    const size = added.reduce((sum, one) => sum + one.length + 1, 0)
    if (size > left) continue
    left -= size
    kept.push(...added)
    heading = undefined
    for (const one of own) cited.add(one)
  }
  return cited.size === 0 ? undefined : { text: kept.join('\n'), cited: [...cited] }
}

/** Without links: a text of people can make a model write one. */
function plain(line: string): string {
  return line
    .replace(/\[([^[\]]{0,200})\]\([^()\s]{0,500}\)/g, (_, label: string) => (/^[\d,\s]+$/.test(label) ? `[${label}]` : label))
    .replace(/\b(?:https?:\/\/|www\.)\S{1,500}/gi, '')
    .replace(/<[@#!][^<>\s]{0,100}>/g, '')
}
