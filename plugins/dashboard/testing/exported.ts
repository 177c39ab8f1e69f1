/** A channel as DiscordChatExporter writes it. */

const MINUTE = 60_000
const LINES = [
  ['alice', 'good morning'],
  ['bob', 'kiki, what time is the review today?'],
  ['alice', 'at three'],
  ['carol', 'the build is red again'],
  ['alice', 'I am looking at it'],
] as const

/** 40 messages; every fifth addresses kiki. */
export function discordExport(name = 'general'): string {
  const start = Date.parse('2026-01-05T10:00:00Z')
  const messages = Array.from({ length: 40 }, (_, index) => {
    const [author, content] = LINES[index % LINES.length] ?? LINES[0]
    return {
      ...{ id: `${name}-${index}`, type: 'Default', content, author: { id: author, name: author } },
      timestamp: new Date(start + index * 10 * MINUTE).toISOString(),
    }
  })
  return JSON.stringify({ guild: { id: '1', name: 'team' }, channel: { id: '2', name }, messages })
}
