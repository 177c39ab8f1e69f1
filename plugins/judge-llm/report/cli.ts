/** `kikimimi judge-report`: how the judge does in each channel. */
import { type CliCommand, type CliOutput, type Database, KikimimiError } from 'kikimimi'
import { START } from '../combine.ts'
import { FEW, type Figures, figuresOf, type Share } from './figures.ts'

const USAGE = [
  {
    call: 'judge-report [CHANNEL]',
    does: 'how right the verdicts of the judge were, what they add to the points, and what they cost; a CHANNEL is a name or an id',
  },
] as const

/** A larger share of prompts with something missing is a finding. */
const FINDING = 0.05

export const judgeReport: CliCommand = {
  name: 'judge-report',
  usage: USAGE,
  async run({ db }, args, out) {
    if (db.kind === 'none') throw new KikimimiError('DATABASE_NONE', '[judge-llm] The judge is measured only with a database.')
    const [given, ...more] = args
    if (more.length > 0) throw usage(`"judge-report ${args.join(' ')}" is not a command.`)
    const all = await figuresOf(db, given === undefined ? undefined : await channelOf(db, given))
    if (all.length === 0 && !out.json) out.print('The judge has given no verdict yet.')
    for (const figures of all) print(figures, out)
  },
}

function print(figures: Figures, out: CliOutput): void {
  for (const line of out.json ? [JSON.stringify(figures)] : linesOf(figures)) out.print(line)
}

function linesOf(figures: Figures): readonly string[] {
  const { name, channel, calls, known, truePositives, falsePositives, balancedAccuracy, missed, tokens, cost } = figures
  const price = cost === undefined ? '' : `, cost ${cost.toFixed(4)}`
  return [
    `#${name} (${channel})`,
    `  calls: ${calls}, of which ${known} have an outcome; ${tokens} tokens${price}`,
    `  says yes where an answer is welcome: ${shown(truePositives)}; where it is not: ${shown(falsePositives)}`,
    `  balanced accuracy: ${balancedAccuracy === undefined ? 'unknown' : percent(balancedAccuracy)}`,
    `  missed: follow-up ${shown(missed.followUp)}, unasked ${shown(missed.unasked)}; messages that address the bot are never judged`,
    ...worthOf(figures),
    '  probability   turns  predicted  seen',
    ...figures.calibration.map(
      ({ from, to, turns, predicted, seen }) =>
        `  ${`${100 * from}–${100 * to} %`.padEnd(12)}${String(turns).padStart(7)}  ${(turns ? percent(predicted) : '–').padStart(9)}  ${turns ? percent(seen) : '–'}`,
    ),
    ...promptsOf(figures),
  ]
}

function worthOf({ learned, pausedUntil }: Figures): readonly string[] {
  if (!learned) return [`  coefficient of the verdict: ${START.c.toFixed(2)}, the start; no outcome is counted yet`]
  const { coefficients, low, high, votes, people, gain, gainLow, gainHigh } = learned
  return [
    `  coefficient of the verdict: ${coefficients.c.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}), from ${votes} votes of ${people} people`,
    `  the verdict adds ${per100(gain)} nats per 100 votes (${per100(gainLow)} to ${per100(gainHigh)})`,
    pausedUntil
      ? `  paused: the points decide; the judge is asked again from ${pausedUntil.toISOString().slice(0, 10)} on`
      : '  not paused',
  ]
}

function promptsOf({ prompts: { few, noTarget, noOwn } }: Figures): readonly string[] {
  const each = [
    {
      share: few,
      what: `with fewer than ${FEW} lines around the message`,
      advice: 'Raise `history` of judge-llm or `memory` in bot.config.ts, and let the bot read the history of the channel.',
    },
    {
      share: noTarget,
      what: 'without the message that is answered',
      advice: 'Raise `history` of judge-llm, and let the bot read the history of the channel.',
    },
    {
      share: noOwn,
      what: 'without the last words of the bot',
      advice: 'Raise `history` of judge-llm or `memory` in bot.config.ts.',
    },
  ]
  return [
    `  prompts ${each.map(({ share, what }) => `${what}: ${shown(share)}`).join('; ')}`,
    ...each
      .filter(({ share }) => share.hits > FINDING * share.of)
      .map(({ share, what, advice }) => `  finding: ${shown(share)} of the prompts are ${what}. ${advice}`),
  ]
}

function shown({ hits, of }: Share): string {
  return of === 0 ? 'unknown' : `${percent(hits / of)} (${hits} of ${of})`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

function per100(nats: number): string {
  return (100 * nats).toFixed(1)
}

async function channelOf(db: Database, given: string): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    'select id from kikimimi_v1.conversation where thread is null and (id = $1 or name = $2) order by id',
    [given, given.replace(/^#/, '')],
  )
  const [one, other] = rows
  if (!one) throw usage(`The bot knows no channel "${given}".`)
  if (other) throw usage(`"${given}" can be ${rows.map(({ id }) => id).join(', ')}. Give the id.`)
  return one.id
}

function usage(message: string): KikimimiError {
  return new KikimimiError('USAGE', `${message}\n${USAGE.map(({ call }) => `  kikimimi ${call}`).join('\n')}`)
}
