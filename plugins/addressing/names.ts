import { type PersonaPlace, service } from 'kikimimi'

/** The names of the bot. A plugin that recognizes them in messages provides it. */
export interface Names {
  /** Whether a text contains a name of the bot in the place. It need not address the bot. */
  has(text: string, place: PersonaPlace): boolean
}

export const Names = service<Names>('names', '@kikimimi/addressing')
