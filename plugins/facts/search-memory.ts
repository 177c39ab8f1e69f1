/** The tool with which a model searches the memory. */
import { KikimimiError, languageOf, type PluginContext, type Tool, type Turn } from 'kikimimi'
import { z } from 'zod'
import type { FactStore } from './api/facts.ts'
import { formatRecalled, sourcesOf } from './section.ts'
import { shownIn } from './shown.ts'
import type { Shown } from './used.ts'

/** Maximum length in UTF-16 code units. A search for a megabyte takes seconds. */
const LONGEST = 2_000

const schema = z.object({
  query: z.string().min(1).max(LONGEST).describe('A few words that the memory would contain, with the names of people.'),
})

/** The tool finds what the audience of the model's conversation may read. Without a conversation it finds nothing. */
export function searchMemory(store: FactStore, { clock, bot }: Pick<PluginContext, 'bot' | 'clock'>, shown: Shown): Tool {
  return {
    name: 'search_memory',
    description:
      'Searches what people said here before, and what is known about them. Use it when the question is about the past.',
    schema,
    async invoke(input: unknown, { turn, signal }: { turn?: Turn; signal?: AbortSignal } = {}) {
      if (!turn)
        throw new KikimimiError(
          'ARGUMENT_INVALID',
          'search_memory works only in a conversation: pass the turn to the model request.',
        )
      const { query } = schema.parse(input)
      const except = shownIn(turn)
      const found = await store.search({
        conversation: turn.conversation,
        text: query,
        asker: turn.message.author.id,
        except,
        ...(signal && { signal }),
      })
      if (found.length === 0) return 'Nothing was found.'
      shown.add(turn, found)
      turn.sources.push(...sourcesOf(found))
      return formatRecalled(found, turn, languageOf(turn.history, bot.locale), new Date(clock.now()))
    },
  }
}
