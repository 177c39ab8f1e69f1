/** The models of a bot: each call is charged, measured and written into the trace of its turn. */
import type { Message, Tool, Turn } from '../api/index.ts'
import { languageOf } from '../base/text/language.ts'
import { captured, capturesIn } from '../features/capture/capture.ts'
import { readFiles } from '../features/files/files.ts'
import type { Metrics } from '../features/http/metrics.ts'
import { currentTurn, endPart } from '../kernel/pipeline/trace.ts'
import { createModels as createMeteredModels } from '../models/models.ts'
import { formatFiles } from '../prompt/file-contents.ts'
import { transcript } from '../prompt/transcript.ts'
import type { Current } from './configured.ts'
import type { Foundation } from './foundation.ts'
import type { Storage } from './storage.ts'

export type BotModels = ReturnType<typeof createModels>

export interface ModelsParts {
  readonly configured: Current
  readonly metrics: Metrics
  /** The tools that all people may use for whom the running code works. */
  permitted(tools: readonly Tool[]): Promise<readonly Tool[]>
}

export function createModels(
  { clock, random, secrets, platforms }: Foundation,
  { log, modelUse }: Storage,
  { configured, metrics, permitted }: ModelsParts,
) {
  const models = createMeteredModels({
    models: configured.current.plan.models,
    currentConversation: () => currentTurn.getStore()?.conversation,
    budget: () => configured.current.budget,
    ...{ clock, random, log, permitted },
    keep: modelUse?.add,
    onCall(call, said) {
      metrics.modelCall(call)
      const { trace, conversation } = currentTurn.getStore() ?? {}
      trace?.models.push(call)
      if (trace && said && capturesIn(conversation, configured.current.plan.settings.capture))
        trace.prompts = [...(trace.prompts ?? []), captured(trace.models.length - 1, said, secrets)]
      if (trace) endPart(trace, { what: 'model', name: call.role, ms: call.ms }, clock.now())
    },
    quote,
    onTool(name) {
      const trace = currentTurn.getStore()?.trace
      if (trace) trace.tools = [...(trace.tools ?? []), name]
    },
    onToolEnd(name, ms) {
      const trace = currentTurn.getStore()?.trace
      if (trace) endPart(trace, { what: 'tool', name, ms }, clock.now())
    },
  })

  /** What people add while a model works, with the files. */
  async function quote(messages: readonly Message[], { conversation, persona, signal }: Turn) {
    const locale = languageOf(messages, configured.current.identity.locale)
    const said = transcript(messages, { locale, timeZone: persona.timeZone, asked: messages.map(({ id }) => id) })
    const platform = platforms.get(conversation.platform) ?? {}
    const attachments = messages.flatMap(message => message.attachments)
    const read = await readFiles(attachments, { platform, conversation, models, clock, log, locale, signal })
    const files = formatFiles(read, locale)
    return { text: files.text === '' ? said : `${said}\n\n${files.text}`, ...files.media }
  }

  return models
}
