/** Responses of the emulator. */
import { AllowedMentionsTypes } from 'discord-api-types/v10'

export interface Request {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: unknown
}

/** The body of the response; 204 without one. */
export interface Answer {
  readonly status: number
  readonly body?: unknown
}

export type Route = (request: Request) => Answer

/** An error in Discord's format. https://discord.com/developers/docs/topics/opcodes-and-status-codes */
export class Refusal extends Error {
  readonly answer: Answer
  constructor(status: number, code: number, message: string) {
    super(message)
    this.answer = { status, body: { code, message } }
  }
}

const TEXT_LENGTH = 2_000

export const ok = (body: unknown): Answer => ({ status: 200, body })

/** The default of Discord, without `allowed_mentions`. */
export function callsEveryone(
  text: string,
  allowed: { readonly parse?: readonly AllowedMentionsTypes[] | undefined } | null | undefined,
): boolean {
  return /@(?:everyone|here)/.test(text) && (allowed?.parse?.some(one => one === AllowedMentionsTypes.Everyone) ?? true)
}

export function checkText(text: string): void {
  if (text.trim() === '') throw new Refusal(400, 50006, 'Cannot send an empty message')
  if (text.length > TEXT_LENGTH) throw new Refusal(400, 50035, `Invalid Form Body: content: ${text.length} characters`)
}
