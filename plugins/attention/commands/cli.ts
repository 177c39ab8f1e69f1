/** `kikimimi attention`: the weights of channels, and how people took the answers of the bot. */
import { type CliCommand, type CliOutput, type Database, KikimimiError, type PluginContext } from 'kikimimi'
import { learnChannel } from '../learn/learn-channels.ts'
import { createVersions, type Version } from '../learn/versions.ts'
import { difference, type Interval, type Rate, ratesOf, wilson } from './rates.ts'

const USAGE = [
  { call: 'attention list CHANNEL', does: 'the learned weights of a channel, with their results; a CHANNEL is a name or an id' },
  { call: 'attention learn CHANNEL', does: 'learn now, without waiting for the night' },
  { call: 'attention apply CHANNEL [VERSION]', does: 'use learned weights; without a VERSION the newest' },
  { call: 'attention revert CHANNEL', does: 'use the weights from before the last apply' },
  { call: 'attention compare [CHANNEL]', does: 'how people took the answers, by the weights and the prompt' },
] as const

const BY = { id: 'cli', name: 'command line' }

export const attentionCli: CliCommand = {
  name: 'attention',
  usage: USAGE,
  async run(ctx, args, out) {
    if (ctx.db.kind === 'none') throw new KikimimiError('DATABASE_NONE', '[attention] Weights are learned only with a database.')
    const [command = '', given, number, ...more] = args
    if (more.length > 0 || (number !== undefined && command !== 'apply'))
      throw usage(`"attention ${args.join(' ')}" is not a command.`)
    if (command === 'compare') {
      return compare(await ratesOf(ctx.db, given === undefined ? undefined : await channelOf(ctx.db, given)), out)
    }
    if (!['list', 'learn', 'apply', 'revert'].includes(command)) {
      throw usage(command === '' ? 'A command is missing.' : `"attention ${command}" is not a command.`)
    }
    if (given === undefined) throw usage('A channel is missing.')
    const channel = await channelOf(ctx.db, given)
    const versions = createVersions(ctx)
    if (command === 'list') return list(ctx, channel, out)
    if (command === 'learn') {
      const version = await learnChannel(ctx as Parameters<typeof learnChannel>[0], channel)
      if (version) print(version, out)
      else if (!out.json) out.print('Nothing new: too little data, or no better weights.')
      return
    }
    print(command === 'apply' ? await versions.apply(channel, versionOf(number), BY) : await versions.revert(channel, BY), out)
  },
}

async function list(ctx: PluginContext, channel: string, out: CliOutput): Promise<void> {
  const versions = createVersions(ctx)
  const used = await versions.current(channel)
  const all = await versions.list(channel)
  if (!out.json && !used) out.print('In use: the shared weights, or those of bot.config.ts.')
  if (!out.json && all.length === 0) out.print('No weights were learned yet.')
  for (const version of all) print(version, out, version.version === used?.version)
}

function print(version: Version, out: CliOutput, isUsed = false): void {
  out.print(out.json ? JSON.stringify({ ...version, isUsed }) : `${lineOf(version)}${isUsed ? '  in use' : ''}`)
}

export function lineOf({ version, at, hash, learned: { replay, people, answers } }: Version): string {
  const { before, after } = replay
  const figures = [
    `F1 ${percent(before.f1)} → ${percent(after.f1)}`,
    `interruption accuracy ${percent(before.interruptionAccuracy)} → ${percent(after.interruptionAccuracy)}`,
    `judgements ${before.judgements} → ${after.judgements} per 100`,
    `coverage ${percent(before.coverage)} → ${percent(after.coverage)}`,
  ]
  return `${version}  ${at.toISOString().slice(0, 10)}  ${hash}  ${figures.join(', ')}; ${answers} answers of ${people} people`
}

function compare(rates: readonly Rate[], out: CliOutput): void {
  if (rates.length === 0 && !out.json) out.print('No answer has an outcome yet.')
  const [latest] = rates
  for (const rate of rates) {
    const interval = wilson(rate.welcome, rate.known)
    if (out.json) {
      out.print(JSON.stringify({ ...rate, interval }))
      continue
    }
    const counted = `${rate.welcome} of ${rate.known} welcome, ${rate.unknown} without a sign`
    out.print(`weights ${rate.weights}, prompt ${rate.prompt}: ${shown(interval)}; ${counted}`)
    if (!latest || rate === latest) continue
    const change = difference(wilson(latest.welcome, latest.known), interval)
    const verdict = change.low > 0 ? 'the latest is better' : change.high < 0 ? 'the latest is worse' : 'no clear difference'
    out.print(`  the latest compared with it: ${shown(change)}; ${verdict}`)
  }
}

function shown({ share, low, high }: Interval): string {
  return `${percent(share)} (${percent(low)} to ${percent(high)})`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
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

function versionOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const version = Number(given)
  if (Number.isInteger(version) && version > 0) return version
  throw usage(`A version is a number from 1 on, got "${given}".`)
}

function usage(message: string): KikimimiError {
  return new KikimimiError('USAGE', `${message}\n${USAGE.map(({ call }) => `  kikimimi ${call}`).join('\n')}`)
}
