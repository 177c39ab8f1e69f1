/**
 * How much of real talk a digest without a model tells: the share of hand-linked threads of five messages or more of which it quotes a
 * message. The files are chat logs of a busy channel (JSON lines) in which people have linked who answers whom (`replyTo`): the digest does
 * not see the links.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Said } from '../../plugins/digest/log/said.ts'
import { choose } from '../../plugins/digest/talk/choose.ts'
import { texts } from '../../plugins/digest/texts.ts'
import { citingOf } from '../../plugins/digest/write/cite.ts'
import { extract } from '../../plugins/digest/write/extract.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    length: { type: 'string', default: '2000' },
    least: { type: 'string', default: '5' },
    link: { type: 'string' },
    show: { type: 'boolean' },
  },
})
if (positionals.length === 0)
  throw new Error('Name the chat logs: npm run bench:digest -- FILE… [--length 2000] [--least 5] [--link 94] [--show]')

interface Line {
  readonly id: string
  readonly at: string
  readonly channel: string
  readonly author: { readonly id: string; readonly name: string }
  readonly text: string
  readonly replyTo: readonly string[]
  readonly context?: boolean
}

const say = texts('en')
const sum = { threads: 0, told: 0, lines: 0, other: 0, messages: 0, ms: 0 }
for (const file of positionals) {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Line)
  const linked = lines.filter(({ context }) => !context)
  const said = linked.map(saidOf)
  const begun = performance.now()
  const chosen = choose(said, { names: ['kiki'], isFor: () => false })
  const ms = performance.now() - begun
  const platform =
    values.link === undefined
      ? undefined
      : {
          ...{ name: 'irc', me: { id: '', name: '' }, limits: { textLength: 2_000 } },
          send: async () => ({ id: '' }),
          link: () => 'x'.repeat(Number(values.link)),
        }
  const now = new Date(lines.at(-1)?.at ?? 0)
  const citing = await citingOf(said, {
    platform,
    locale: 'en',
    timeZone: 'UTC',
    now,
    someone: '?',
    isWide: false,
    signal: new AbortController().signal,
  })
  const { text, cited } = extract(chosen, { citing, say, length: Number(values.length) })
  if (values.show) console.error(`${file}\n${text}\n`)
  const threads = threadsOf(linked).filter(ids => ids.size >= Number(values.least))
  const told = threads.filter(ids => cited.some(({ id }) => ids.has(id)))
  sum.threads += threads.length
  sum.told += told.length
  sum.lines += cited.length
  sum.other += cited.filter(({ id }) => !threads.some(ids => ids.has(id))).length
  sum.messages += said.length
  sum.ms += ms
  console.error(
    `${file.split('/').at(-1)}: ${told.length} of ${threads.length} threads, ${cited.length} quotations, ${said.length} messages, ${ms.toFixed(0)} ms`,
  )
}
const share = sum.told / sum.threads
console.log(JSON.stringify({ ...sum, ms: Math.round(sum.ms), share: Number(share.toFixed(3)) }, undefined, 2))

/** The messages that are linked with each other, directly or through others. */
function threadsOf(lines: readonly Line[]): readonly ReadonlySet<string>[] {
  const known = new Set(lines.map(({ id }) => id))
  const root = new Map<string, string>()
  const rootOf = (id: string): string => {
    const parent = root.get(id)
    return parent === undefined ? id : rootOf(parent)
  }
  for (const { id, replyTo } of lines)
    for (const other of replyTo.filter(one => known.has(one))) {
      const [one, another] = [rootOf(id), rootOf(other)]
      if (one !== another) root.set(one, another)
    }
  return [...Map.groupBy(lines, ({ id }) => rootOf(id)).values()].map(group => new Set(group.map(({ id }) => id)))
}

function saidOf({ id, at, channel, author, text }: Line, seq: number): Said {
  return {
    seq,
    conversation: channel,
    channel,
    place: channel,
    id,
    author,
    bot: false,
    isCall: false,
    text,
    at: new Date(at),
    mentions: [],
  }
}
