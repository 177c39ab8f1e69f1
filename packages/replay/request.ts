/** Replays of channels, as a service: the request and its result. */
import { type Conversation, service } from 'kikimimi'
import type { ExplainedOption } from 'kikimimi/host'
import type { Share } from './eval/figures.ts'
import type { Asked } from './judge/ask.ts'

export interface Replays {
  /**
   * What this bot would have done with the messages of a channel, with today's options and with others, on a virtual clock.
   * Nothing is sent or stored, no port is opened, and the offline model replaces the models of the bot. The replay leaves
   * out platforms, plugins with routes, plugins that remember and plugins that need tables. It sets up the other plugins
   * again; a client that such a plugin opens is real. The same request gives the same result.
   * With `ask`, the real model of the judge is asked about turns that no recorded verdict decides. Its calls count as an evaluation.
   * @throws OPTIONS_INVALID for an option that is wrong or takes no part, REPLAY_NOTHING where no messages are kept,
   * REPLAY_BUSY while another replay runs, DATABASE_NONE, MODEL_MISSING for `ask` without a model that judges
   */
  replay(request: ReplayRequest): Promise<ChannelReplay>
  /**
   * The options that change when the bot speaks, with their values in a conversation: the pacing, and those of the replayed
   * plugins.
   */
  tunable(conversation: Conversation): readonly TunableOption[]
  /**
   * When this bot would have spoken in an exported channel that it has never heard, with today's options. As `replay`, it sends and stores
   * nothing, and asks no model.
   * @throws LOG_FILE_INVALID for a file that is no export, REPLAY_NOTHING for a channel that the export does not have, REPLAY_BUSY
   */
  imported(request: ImportRequest): Promise<ImportReplay>
}

/** An export of a channel, and what to replay of it. */
export interface ImportRequest {
  /** The name of the file, for errors. */
  readonly name: string
  /** A zip archive of a Slack export or of files of DiscordChatExporter, such a JSON file, or JSON lines. */
  readonly content: Buffer
  /** The name of a channel of the export. Default: the one with the most messages. Its threads are included. */
  readonly channel?: string | undefined
  /** The number of the last messages to replay. */
  readonly limit: number
  /** Aborts the replay. */
  readonly signal?: AbortSignal
  /** Called with the finished share, 0…1. */
  progress?(share: number): void
}

export interface ImportReplay {
  /** The channels of the export, those with the most messages first. */
  readonly channels: readonly { readonly name: string; readonly messages: number }[]
  /** The replayed one. */
  readonly channel: string
  /** The number of replayed messages. */
  readonly messages: number
  readonly from: Date
  readonly to: Date
  /** The turns of the bot, by their result. */
  readonly turns: Readonly<Record<TurnKind, number>>
  /** Plugins that affect when the bot speaks and were left out: they remember, or need tables. */
  readonly leftOut: readonly string[]
  /** The turns in which the bot is not silent, oldest first. */
  readonly spoken: readonly ImportedTurn[]
}

/** A turn, with the message that it answers. */
export interface ImportedTurn extends ReplayTurn {
  readonly at: Date
  /** The name of the author. */
  readonly author: string
  readonly text: string
}

export interface TunableOption extends ExplainedOption {
  /** Why the option has no effect in this configuration. Absent: it has one. */
  readonly unused?: string
}

export const Replays = service<Replays>('replays', '@kikimimi/replay')

/** What to replay: the messages of a channel, with other options. */
export interface ReplayRequest {
  /** The id of a channel. Its threads are included. */
  readonly channel: string
  /** Other options, by plugin and name, as one writes them in bot.config.ts. The pacing has the name `pacing`. */
  readonly settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The number of the last messages to replay. */
  readonly limit: number
  /** The number of the busiest people whose seats the bot takes, one after the other. Default 3. */
  readonly members?: number
  /** How much the judge is asked about undecided turns. Default: nothing. */
  readonly ask?: Sampling | undefined
  /** Aborts the replay. */
  readonly signal?: AbortSignal
  /** Called with the finished share, 0…1. */
  progress?(share: number): void
}

/** Limits of what the judge is asked. */
export interface Sampling {
  /** The most prompts: a random sample. */
  readonly calls: number
  /** The most tokens of all calls together. */
  readonly tokens: number
}

/** Prompts of turns that no recorded verdict decides, and what it costs to ask about one of them. */
export interface Undecided {
  /** The name of the model that judges in this channel. */
  readonly model: string
  /** Different prompts, of both bots together. */
  readonly prompts: number
  /** Estimated tokens of a call, in the mean. */
  readonly tokens: number
  /** The most tokens that a call can use. */
  readonly most: number
  /** Estimated cost of a call, in the currency of `budget.prices`. Absent: the model has no price. */
  readonly cost?: number
}

/** The result of a replay: the bot with today's options, and the bot with changed options. */
export interface ChannelReplay {
  /** The number of replayed messages of people and of the bot. */
  readonly messages: number
  /** The time of the first replayed message. */
  readonly from: Date
  /** The time of the last replayed message. */
  readonly to: Date
  /** Plugins that affect when the bot speaks and were left out: they remember, or need tables. */
  readonly leftOut: readonly string[]
  /** The bot with the options of today. */
  readonly today: ReplaySide
  /** The bot with the options of the request. */
  readonly changed: ReplaySide
  /** What the judge could be asked. Absent: there are no such turns, or bot.config.ts has no model that judges. */
  readonly undecided?: Undecided
  /** What it was asked. Absent: nothing. */
  readonly asked?: Asked
  /** Messages to which the two bots react differently, oldest first. */
  readonly differences: readonly ReplayDifference[]
}

/** What a replay counts for one of the two bots. */
export interface ReplaySide {
  /**
   * The comparison in the seats of the busiest members. Absent when no message answers another: then nothing can be
   * measured.
   */
  readonly places?: InPlaces
  /** The turns of the bot as itself, with its own messages as history, by their result. */
  readonly turns: Readonly<Record<TurnKind, number>>
  /** Turns of them for which the judge was not asked, because its verdict of then is recorded. */
  readonly recorded: number
  /**
   * Of the turns that only the judge decides and that have no recorded verdict: the share that the bot answers, by the sample that it was
   * asked about. Absent: it was not asked.
   */
  readonly estimate?: Estimate
  /** How often each rule gave points to unaddressed messages, most frequent first. */
  readonly rules: readonly { readonly why: string; readonly times: number }[]
}

/** The interval is that of Wilson, with the finite population correction for a sample of `of` turns. */
export interface Estimate extends Share {
  /** The number of turns. */
  readonly of: number
}

/** How the bot compares with the busiest members in their seats. */
export interface InPlaces extends Placed {
  /** The same figures for each member, with its name. */
  readonly members: readonly (Placed & { readonly name: string })[]
}

/** The metrics in all seats, or in one. */
interface Placed {
  /**
   * Of the messages that the member answered, the share in a considered batch, 0…1. Absent when there was nothing to
   * measure.
   */
  readonly coverage?: number
  /** Of the utterances spoken to, the share that the member answered, 0…1. Absent when there was nothing to measure. */
  readonly precision?: number
  /** Judge calls per 100 messages, plus batches that were answered or got a reaction without a judge. */
  readonly judgements: number
  readonly considered: number
}

/** `asked`: a model would be asked and no verdict is known, so the result is unknown. */
export type TurnKind = 'silent' | 'react' | 'asked' | 'ack' | 'full'

/** The turn of a message. */
export interface ReplayTurn {
  /** The kind of the decision. */
  readonly kind: TurnKind
  /** The reason of the decision. */
  readonly why: string
  /** 0…100. */
  readonly points?: number
}

/** A message on which the two bots differ. */
export interface ReplayDifference {
  /** The id of the message. */
  readonly message: string
  /** The turn of the bot with the options of today. Absent: none. */
  readonly today: ReplayTurn
  /** The turn of the bot with the changed options. Absent: none. */
  readonly changed: ReplayTurn
}
