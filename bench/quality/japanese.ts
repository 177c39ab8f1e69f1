/**
 * Whom a line of a Japanese chat of three is for: `npm run bench:japanese -- FILE [PRESET,…] [DIALOGUES]`. The file has a dialogue on each
 * line, `{id, people, lines: [{id, by, text, mentions}]}`, as in the Multi-Relational Multi-Party Chat Corpus (CC BY-SA 4.0). The bot takes
 * the place of each person, one after the other. The mentions are hidden from it, and lines have no times, so they are 12 s apart.
 * Each line is judged alone. Counted is how the points order the lines: those for this person before those for another one, and those
 * after which this person speaks next before the others.
 */
import { readFile } from 'node:fs/promises'
import type { BotConfig } from 'kikimimi'
import { z } from 'zod'
import { loadConfig } from '../../core/bot/load-config.ts'
import type { ChatLog } from '../../packages/replay/logs/chat-log.ts'
import { replay } from '../../packages/replay/replay.ts'
import { withSetting } from '../../packages/replay/settings.ts'
import attention from '../../plugins/attention/index.ts'
import { progress, round } from '../base/measure.ts'
import { benchLog } from '../base/talk.ts'

const BETWEEN_MS = 12_000
const START = Date.UTC(2026, 0, 5, 10)

const dialogue = z.object({
  id: z.string(),
  people: z.array(z.string()),
  lines: z.array(z.object({ id: z.number(), by: z.string(), text: z.string(), mentions: z.array(z.string()).default([]) })),
})

type Dialogue = z.output<typeof dialogue>

const [file, presets = 'attentive,attention,classic', limit = '40'] = process.argv.slice(2)
if (file === undefined) {
  progress('Which dialogues? npm run bench:japanese -- FILE [PRESET,…] [DIALOGUES]')
  process.exit(2)
}
const dialogues = (await readFile(file, 'utf8'))
  .split('\n')
  .filter(line => line.trim() !== '')
  .slice(0, Number(limit))
  .map(line => dialogue.parse(JSON.parse(line)))

interface Judged {
  readonly points: number
  readonly speaks: boolean
  /** Undefined: the line has no name. */
  readonly isForSeat: boolean | undefined
  readonly isAnsweredNext: boolean
}

const { config: shipped, project } = await loadConfig('bot.config.ts')
const given: BotConfig = { ...shipped, plugins: [attention(), shipped.plugins] }
const results = { dialogues: dialogues.length, presets: {} as Record<string, object> }
for (const preset of presets.split(',')) {
  const config = withSetting(withSetting(given, `judge-rules.preset=${preset}`), 'pacing.minWait=0')
  const judged: Judged[] = []
  for (const one of dialogues) for (const person of one.people) judged.push(...(await judgedIn(one, person, config)))
  const named = judged.filter(({ isForSeat }) => isForSeat !== undefined)
  results.presets[preset] = {
    whom: figures(named, ({ isForSeat }) => isForSeat === true),
    next: figures(judged, ({ isAnsweredNext }) => isAnsweredNext),
  }
  progress(`${preset}: ${judged.length} lines`)
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)

async function judgedIn({ id, lines }: Dialogue, seat: string, config: BotConfig): Promise<Judged[]> {
  const log: ChatLog = {
    name: id,
    lines: () =>
      lines.map(({ id: number, by, text }) => ({
        id: String(number),
        at: new Date(START + number * BETWEEN_MS),
        channel: id,
        author: { id: by, name: by },
        // "@name" at the start is how this chat shows a mention.
        text: text.replace(/^(?:[@＠]\S+\s*)+/u, ''),
        ...{ mentions: [], replyTo: [], context: false },
      })),
  }
  const judged: Judged[] = []
  await replay([log], {
    ...{ config, project, seed: 1, log: benchLog, seating: { author: seat } },
    onDecision({ message }, { score, decision }) {
      const at = lines.findIndex(line => String(line.id) === message.id)
      const line = lines[at]
      const next = lines.slice(at + 1).find(({ by }) => by !== line?.by)
      if (!line || !score || !decision) return
      judged.push({
        points: score.parts.reduce((sum, part) => sum + part.points, 0),
        speaks: decision.kind === 'full' || decision.kind === 'ack',
        isForSeat: line.mentions.length > 0 ? line.mentions.includes(seat) : undefined,
        isAnsweredNext: next?.by === seat,
      })
    },
  })
  return judged
}

function figures(judged: readonly Judged[], isPositive: (one: Judged) => boolean) {
  const positives = judged.filter(isPositive)
  const others = judged.filter(one => !isPositive(one))
  const share = (some: readonly Judged[]) => some.filter(({ speaks }) => speaks).length / some.length
  return {
    lines: judged.length,
    positives: positives.length,
    areaUnderCurve: round(areaUnderCurve(positives, others), 3),
    recall: round(share(positives), 3),
    interruptionAccuracy: round(1 - share(others), 3),
    balancedAccuracy: round((share(positives) + 1 - share(others)) / 2, 3),
  }
}

/** The probability that a positive line has more points than another. Equal points count half. */
function areaUnderCurve(positives: readonly Judged[], others: readonly Judged[]): number {
  const sorted = others.map(({ points }) => points).sort((a, b) => a - b)
  const below = (points: number, orEqual: boolean) => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const value = sorted[middle] ?? 0
      if (value < points || (orEqual && value === points)) low = middle + 1
      else high = middle
    }
    return low
  }
  const pairs = positives.reduce((sum, { points }) => sum + (below(points, false) + below(points, true)) / 2, 0)
  return pairs / (positives.length * others.length)
}
