/** The tool by which a model searches the memory itself. */
import { type Clock, KikimimiError, type Locale, languageOf, type Tool, type Turn } from 'kikimimi'
import { z } from 'zod'
import type { FactStore } from './api/facts.ts'
import { formatRecalled } from './section.ts'

/** In UTF-16 code units. Of a megabyte the search is at work for seconds. */
const LONGEST = 2_000

const schema = z.object({
  query: z.string().min(1).max(LONGEST).describe('A few words that what you look for would contain, with the names of people.'),
})

/** It sees what everybody in the conversation may see that the model is answering in, and nothing without one. */
export function searchMemory(store: FactStore, { clock, locale }: { readonly clock: Clock; readonly locale: Locale }): Tool {
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
      const except = turn.history.map(({ id }) => id)
      const found = await store.search({
        conversation: turn.conversation,
        text: query,
        asker: turn.message.author.id,
        except,
        ...(signal && { signal }),
      })
      if (found.length === 0) return 'Nothing was found.'
      return formatRecalled(found, turn, languageOf(turn.history, locale), new Date(clock.now()))
    },
  }
}
