/**
 * Whether a digest finds what was decided and which questions are open: `npm run bench:digest-marks -- --marks FOLDER [--show] FILE…`.
 * A FILE is a chat log (JSON lines: `id`, `at`, `by` or `author`, `text`, `replyTo`). The FOLDER has what a reader marked by hand in each,
 * as NAME.json: `open` and `decisions` with the `ids` of the lines that state each, and `doubtful` ids, which count neither way.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { Said } from '../../plugins/digest/log/said.ts'
import { choose } from '../../plugins/digest/talk/choose.ts'
import { round } from '../base/measure.ts'

const line = z.object({
  id: z.string(),
  at: z.string(),
  by: z.string().optional(),
  author: z.object({ id: z.string(), name: z.string() }).optional(),
  text: z.string(),
  replyTo: z.union([z.string(), z.array(z.string())]).optional(),
  context: z.boolean().optional(),
})
const marked = z.object({ ids: z.array(z.string()), text: z.string() })
const marks = z.object({ open: z.array(marked), decisions: z.array(marked), doubtful: z.array(z.string()).default([]) })
const KINDS = ['open', 'decisions'] as const
const BOT = 'kiki'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { marks: { type: 'string' }, show: { type: 'boolean', default: false } },
})
const folder = values.marks
if (folder === undefined || positionals.length === 0)
  throw new Error('Name the marks and the chat logs: npm run bench:digest-marks -- --marks FOLDER [--show] FILE…')

const counts = { open: { marked: 0, found: 0, shown: 0, right: 0 }, decisions: { marked: 0, found: 0, shown: 0, right: 0 } }
for (const file of positionals) {
  const name = basename(file, '.jsonl')
  const said = saidIn(file)
  const hand = marks.parse(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')))
  const chosen = choose(said, { names: [BOT], isFor: () => false })
  const shown = { open: chosen.open, decisions: chosen.decided }
  for (const kind of KINDS) {
    const ids = new Set(shown[kind].map(({ id }) => numberOf(id)))
    const isIn = (one: z.infer<typeof marked>) => one.ids.some(id => ids.has(numberOf(id)))
    const right = new Set(hand[kind].flatMap(one => one.ids.map(numberOf)))
    const doubtful = new Set(hand.doubtful.map(numberOf))
    const counted = shown[kind].filter(({ id }) => right.has(numberOf(id)) || !doubtful.has(numberOf(id)))
    const sum = counts[kind]
    sum.marked += hand[kind].length
    sum.found += hand[kind].filter(isIn).length
    sum.shown += counted.length
    sum.right += counted.filter(({ id }) => right.has(numberOf(id))).length
    if (!values.show) continue
    for (const one of hand[kind]) if (!isIn(one)) console.error(`${name} ${kind} missed: ${one.ids.join(' ')} ${one.text}`)
    for (const { id, author, text } of counted)
      if (!right.has(numberOf(id))) console.error(`${name} ${kind} false: ${numberOf(id)} ${author.name}: ${text}`)
  }
}
const figures = Object.entries(counts).map(([kind, { marked, found, shown, right }]) => [
  kind,
  { marked, found, shown, right, recall: round(found / marked, 3), precision: round(right / shown, 3) },
])
console.log(JSON.stringify(Object.fromEntries(figures), undefined, 2))

/** `2004-11-15_03#1003` is `1003` in the marks. */
function numberOf(id: string): string {
  return id.split('#').at(-1) ?? id
}

function saidIn(file: string): readonly Said[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.flatMap((text, seq): readonly Said[] => {
    const { id, at, by = '', author = { id: by, name: by }, replyTo, context, ...said } = line.parse(JSON.parse(text))
    if (context) return []
    // The links of the chat logs were made by hand afterwards: the digest does not see them.
    const linked = typeof replyTo === 'string' ? { replyTo } : {}
    return [
      {
        ...{
          seq,
          conversation: '#',
          channel: '#',
          place: '#',
          id,
          author,
          ...linked,
          text: said.text,
          at: new Date(at),
          mentions: [],
        },
        bot: author.id === BOT,
        isCall: said.text.startsWith(`@${BOT}`),
      },
    ]
  })
}
