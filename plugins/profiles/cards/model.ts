/** Asks the model to fold facts into the lines of a card. */
import type { Fact } from '@kikimimi/facts'
import { languageOf, type PluginContext, safeText } from 'kikimimi'
import { z } from 'zod'
import { CARD, type CardLine } from './card.ts'

const folded = z.object({
  lines: z.array(
    z.object({
      text: z.string().describe('One short line, in the words of its facts.'),
      facts: z.array(z.string()).describe('The labels of the facts that the line tells, such as f3.'),
    }),
  ),
})

/** The model gets the facts and nothing else: no earlier card, and no memory. Rejects if the model fails. */
export async function foldByModel(
  { models, bot, prompt }: PluginContext,
  facts: readonly Fact[],
  signal: AbortSignal,
): Promise<CardLine[]> {
  const locale = languageOf(
    facts.map(({ content }) => ({ text: content, own: false })),
    bot.locale,
  )
  const listed = facts.map(({ content, pinned }, at) => {
    const label = pinned ? `f${at + 1} (pinned)` : `f${at + 1}`
    return `- ${label}: “${safeText(content).replace(/\s+/g, ' ')}”`
  })
  const { lines } = await models.object('summary', folded, {
    system: prompt('card.system', { characters: String(CARD) }, locale),
    messages: [{ role: 'user', text: prompt('card.user', { facts: listed.join('\n') }, locale) }],
    signal,
  })
  return lines.map(({ text, facts: labels }) => ({
    text: text.replaceAll('\0', '').toWellFormed().replace(/\s+/g, ' ').trim(),
    // An unknown label becomes an id that no fact has, and the card is refused.
    facts: [...new Set(labels.map(label => facts[Number(/\d+/.exec(label)?.[0]) - 1]?.id ?? 0))],
  }))
}
