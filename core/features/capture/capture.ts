/** The prompts of turns and the raw output of models, for the channels that the operator names. */
import type { Settings } from '../../api/config.ts'
import type { CapturedPrompt, Conversation } from '../../api/index.ts'
import { withoutSecrets } from '../../base/secrets.ts'
import type { Said } from '../../models/meter.ts'
import { isChannel } from '../listen/listen.ts'

/** UTF-16 code units of one text. A prompt has less; the result of a tool can have more. */
const LONGEST = 50_000

/** Whether the prompts of turns in a conversation are kept. */
export function capturesIn(conversation: Conversation | undefined, { channels }: Settings['capture']): boolean {
  return conversation !== undefined && channels.some(channel => isChannel(channel, conversation))
}

/**
 * What was said in a call, without secrets and media.
 *
 * @param call the index of the call in the trace
 * @param secrets those of the environment: see `secretsOf`
 */
export function captured(call: number, { request, answer }: Said, secrets: readonly string[]): CapturedPrompt {
  const shown = (text: string) => {
    const clean = withoutSecrets(text, secrets)
    return clean.length > LONGEST ? `${clean.slice(0, LONGEST).toWellFormed()}…` : clean
  }
  return {
    call,
    system: shown(request.system),
    messages: request.messages.map(message => ({ role: message.role, text: shown(textOf(message)) })),
    ...(answer && { output: shown(outputOf(answer)) }),
  }
}

function textOf(message: Said['request']['messages'][number]): string {
  if (message.role !== 'assistant') return message.text
  return joined(message.text, message.toolCalls)
}

function outputOf({ text, value, toolCalls }: NonNullable<Said['answer']>): string {
  return joined(text === '' && value !== undefined ? JSON.stringify(value, undefined, 2) : text, toolCalls)
}

function joined(text: string, calls: NonNullable<Said['answer']>['toolCalls'] = []): string {
  const made = calls.map(({ name, args }) => JSON.stringify({ tool: name, args }))
  return [text, ...made].filter(part => part !== '').join('\n')
}
