/** The decisions of a version about recorded messages, and where two versions differ. */
import { type BotConfig, channelOf, type Logger, startBot } from 'kikimimi'
import { loadPlugins, type Plan, renamedOptions } from 'kikimimi/host'
import { asItself, LOUDNESS } from '../as-itself.ts'
import type { ChatLog } from '../logs/chat-log.ts'
import type { TurnKind } from '../request.ts'
import { replayed } from '../without-memory.ts'
import type { Recorded, RecordedChannel } from './recorded.ts'

/** What the bot decided in the turn of a message. */
export interface Decided {
  /** The id of the channel: ids of messages are unique there. */
  readonly channel: string
  readonly message: string
  readonly at: string
  readonly kind: TurnKind
  readonly why: string
  /** The message that the turn would have answered: the last one of its batch that addresses the bot, or else the last one. */
  readonly answers: string
}

export interface DecidedDifference {
  readonly channel: string
  readonly message: string
  readonly at: string
  /** Absent: the message came into no turn. */
  readonly before?: Pick<Decided, 'kind' | 'why'>
  readonly after?: Pick<Decided, 'kind' | 'why'>
}

export interface DecisionsOptions {
  readonly plan: Plan
  readonly log: Logger
  progress?(channel: string): void
}

const SEED = 1

/**
 * The bot as itself, with its own messages as history, on a virtual clock. Where it would ask a judge, the decision is `asked`. It sends
 * and stores nothing: see {@link replayed}.
 */
export async function decisionsOn({ channels, settings }: Recorded, options: DecisionsOptions): Promise<readonly Decided[]> {
  const config = replayed(options.plan)
  const decided: Decided[] = []
  for (const channel of channels) {
    options.progress?.(channel.places[0]?.name ?? channel.channel)
    decided.push(...(await decisionsIn(channel, await fitting(settings, channel, config), config, options)))
  }
  return decided
}

async function decisionsIn(
  { channel, places, lines }: RecordedChannel,
  set: Recorded['settings'],
  config: BotConfig,
  { plan: { project }, log }: DecisionsOptions,
): Promise<readonly Decided[]> {
  const here = new Map(places.map(({ id, ...rest }) => [id, rest]))
  const chat: ChatLog = { name: channel, lines: () => lines, conversation: line => here.get(line.channel) }
  const { id, name } = lines.findLast(({ own }) => own)?.author ?? { id: 'kikimimi', name: config.persona.name }
  const by = { id: 'upgrade', name: 'upgrade' }
  const { turns } = await asItself(
    chat,
    { me: { id, name }, recorded: new Map() },
    { config, set: set.map(one => ({ ...one, by })), project, log, seed: SEED, undecided: true, start: startBot },
  )
  return lines.flatMap(({ id, at, context }) => {
    const turn = context ? undefined : turns.get(id)
    if (!turn) return []
    const { kind, why, answers } = turn
    return [{ channel, message: id, at: at.toISOString(), kind, why, answers }]
  })
}

/** The settings of a channel that the replayed plugins accept, under their present names. */
async function fitting(
  settings: Recorded['settings'],
  { channel, places }: RecordedChannel,
  { plugins }: BotConfig,
): Promise<Recorded['settings']> {
  const loaded = await loadPlugins(plugins)
  const [first] = places
  const workspace = first && channelOf(first).split('/').slice(0, 2).join('/')
  return settings.flatMap(setting => {
    const plugin = loaded.find(({ name }) => name === setting.plugin)
    if (!plugin || ![channel, workspace].includes(setting.place)) return []
    const key = renamedOptions(plugin.definition.options).get(setting.key) ?? setting.key
    return plugin.optionsFor.refuses(key, setting.value) === undefined ? [{ ...setting, key }] : []
  })
}

/** A difference appears once, at the message that the turn that does more would answer. A message in no turn counts as silence. */
export function differencesOf(before: readonly Decided[], after: readonly Decided[]): readonly DecidedDifference[] {
  const keyOf = ({ channel, message }: Decided) => `${channel}\n${message}`
  const [one, other] = [new Map(before.map(each => [keyOf(each), each])), new Map(after.map(each => [keyOf(each), each]))]
  return [...new Set([...one.keys(), ...other.keys()])].flatMap(key => {
    const [was, is] = [one.get(key), other.get(key)]
    const [loud, quiet] = [was, is].toSorted((a, b) => loudness(b) - loudness(a))
    if (!loud || loudness(loud) === loudness(quiet) || loud.answers !== loud.message) return []
    const { channel, message, at } = loud
    return [{ channel, message, at, ...(was && { before: shown(was) }), ...(is && { after: shown(is) }) }]
  })
}

function loudness(decided: Decided | undefined): number {
  return LOUDNESS.indexOf(decided?.kind ?? 'silent')
}

function shown({ kind, why }: Decided): Pick<Decided, 'kind' | 'why'> {
  return { kind, why }
}
