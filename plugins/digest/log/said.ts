/** A message of the log, as a digest reads it. */
export interface Said {
  readonly seq: number
  /** Id of the channel or thread. */
  readonly conversation: string
  /** Id of the channel. */
  readonly channel: string
  readonly thread?: string
  /** Name of the channel. */
  readonly place: string
  readonly id: string
  readonly author: { readonly id: string; readonly name: string }
  /** A message of this bot or of another one. */
  readonly bot: boolean
  /** It calls this bot. */
  readonly isCall: boolean
  readonly text: string
  readonly at: Date
  /** The id of the message that it answers. */
  readonly replyTo?: string
  /** Ids of people whom it mentions. */
  readonly mentions: readonly string[]
}
