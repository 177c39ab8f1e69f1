import { offline } from '@kikimimi/offline'
import type { ChatModel } from 'kikimimi/model'

/** The offline model, and the prompts of the answers that it was asked for. */
export function listeningModel(): { readonly model: ChatModel; readonly prompts: string[] } {
  const prompts: string[] = []
  const rules = offline()
  const model: ChatModel = {
    name: 'listening',
    generate(request) {
      if (request.role === 'chat') prompts.push([request.system, ...request.messages.map(({ text }) => text)].join('\n'))
      return rules.generate(request)
    },
  }
  return { model, prompts }
}
