/** Replays of channels, as a service: the request and its result. */
import { type Conversation, type ExplainedOption, service } from 'kikimimi'

export interface Replays {
  /**
   * What this bot would have done with the messages of a channel, with the options of today and with others, on a virtual clock.
   * Nothing is sent or kept, no port is opened, and the offline model stands in for the models of the bot. Platforms, plugins
   * with routes, plugins that remember and plugins that need tables are left out. The other plugins are set up again; what one
   * does with a client of its own, it does there, too. The same request gives the same answer.
   *
   * @throws OPTIONS_INVALID for an option that is wrong or takes no part, REPLAY_NOTHING where no messages are kept, REPLAY_BUSY
   * while another replay runs, DATABASE_NONE
   */
  replay(request: ReplayRequest): Promise<ChannelReplay>
  /** The options that change when the bot speaks, with their values in a conversation: the pace, and those of the replayed plugins. */
  tunable(conversation: Conversation): readonly ExplainedOption[]
}

export const Replays = service<Replays>('replays', '@kikimimi/replay')

/** What to replay: the messages of a channel, with other options. */
export interface ReplayRequest {
  /** The id of a channel: what was said there and in its threads. */
  readonly channel: string
  /** Other options, by plugin and name, as one writes them in bot.config.ts; the pace goes by `pacing`. */
  readonly settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** So many of the last messages. */
  readonly limit: number
  /** How many of the busiest people the bot is put in the place of, one after the other. Default 3. */
  readonly members?: number
  /** Aborts the replay. */
  readonly signal?: AbortSignal
  /** Called with the finished share, 0…1. */
  progress?(share: number): void
}

/** The result of a replay: the bot of today beside the bot with changed options. */
export interface ChannelReplay {
  /** Messages of people and of the bot that were replayed, and when the first and the last of them were said. */
  readonly messages: number
  /** The time of the first replayed message. */
  readonly from: Date
  /** The time of the last replayed message. */
  readonly to: Date
  /** Plugins that have a say in when it speaks, and could not be replayed: they remember, or need tables. */
  readonly leftOut: readonly string[]
  /** With the options that hold there today. */
  readonly today: ReplaySide
  /** With those of the request. */
  readonly changed: ReplaySide
  /** Messages to which the bot itself would have done something else, oldest first. */
  readonly differences: readonly ReplayDifference[]
}

/** What a replay counts for one of the two bots. */
export interface ReplaySide {
  /** In the places of the busiest. Absent where none of them answered anybody, as far as replies tell: then nothing can be measured. */
  readonly places?: InPlaces
  /** As itself, its own past lines its own: what it came to, look by look. */
  readonly looks: Readonly<Record<TurnKind, number>>
  /** How often each rule gave points to unaddressed messages, most frequent first. */
  readonly rules: readonly { readonly why: string; readonly times: number }[]
}

/** How the bot compares with the busiest members in whose places it was put. */
export interface InPlaces extends Placed {
  /** The same figures for each member, with its name. */
  readonly members: readonly (Placed & { readonly name: string })[]
}

/** In all places, or in one. */
interface Placed {
  /** Of the messages that the member answered, the share in a considered batch, 0…1. Absent when there was nothing to measure it on. */
  readonly coverage?: number
  /** Of the utterances spoken to, the share that the member answered, 0…1. Absent when there was nothing to measure it on. */
  readonly precision?: number
  /** Judgements per 100 messages; and those with what was answered or reacted to without one. */
  readonly judgements: number
  readonly considered: number
}

/** `asked`: a model would be asked, and what it says is not known. */
export type TurnKind = 'silent' | 'react' | 'asked' | 'ack' | 'full'

/** What the bot made of a message. */
export interface ReplayTurn {
  /** What the turn came to: the kind of its decision. */
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
