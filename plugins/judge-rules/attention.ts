import { type Message, type Score, service, type Turn } from 'kikimimi'

/** A scorer of single messages in place of the table of rules, for the preset `attention`. */
export interface Attention {
  /**
   * Points for and against an answer to one message of a turn that does not address the bot. A threshold of 60 speaks, and a judge is
   * asked between its bounds, as with the other presets.
   */
  scores(turn: Turn, message: Message): readonly Score[]
  /** The probability, 0…1, that a member in the place of the bot answers a message with these points. */
  probability(points: number): number
}

export const Attention = service<Attention>('attention', '@kikimimi/attention')
