/** Messages of people, whose formatting is in blocks. */
import type { SlackBlock } from '@kikimimi/slack/testing'
import { expect, test } from 'vitest'
import { mention, startOnSlack, until } from '../test-bot.ts'

const text = (words: string, style?: object) => ({ type: 'text', text: words, ...(style && { style }) })
const section = (...elements: object[]) => ({ type: 'rich_text_section', elements })
const list = (style: string, items: readonly string[], more: object = {}) => ({
  ...{ type: 'rich_text_list', style, elements: items.map(item => section(text(item))) },
  ...more,
})

async function seen(elements: readonly object[], fallback = 'the fallback'): Promise<string | undefined> {
  await using on = await startOnSlack()
  on.slack.user('alice')
  const blocks = [{ type: 'rich_text', elements } as SlackBlock]
  await on.slack.say({ author: 'bob', channel: 'general', text: fallback, blocks })
  await on.slack.say(mention('well?'))
  await until(() => on.turns.length === 1)
  return on.turns[0]?.history[0]?.text
}

test.each<[string, readonly object[], string]>([
  [
    'a list, also numbered and indented',
    [
      section(text('to buy:\n')),
      list('bullet', ['milk', 'eggs']),
      list('bullet', ['brown ones'], { indent: 1 }),
      list('ordered', ['go', 'pay'], { offset: 2 }),
    ],
    'to buy:\n• milk\n• eggs\n  • brown ones\n3. go\n4. pay',
  ],
  [
    'a quotation',
    [{ type: 'rich_text_quote', elements: [text('to be\nor not')] }, section(text('he said'))],
    '> to be\n> or not\nhe said',
  ],
  [
    'code',
    [section(text('try '), text('npm <test>', { code: true })), { type: 'rich_text_preformatted', elements: [text('a & b\n')] }],
    'try `npm <test>`\n```\na & b\n```',
  ],
  [
    'names, links and emoji',
    [
      section(
        ...[{ type: 'user', user_id: 'UALICE' }, text(' in '), { type: 'channel', channel_id: 'CGENERAL' }, text(': ')],
        ...[
          { type: 'link', url: 'https://example.com/?a=1&b=2', text: 'this' },
          text(' '),
          { type: 'link', url: 'https://e.com' },
        ],
        ...[text(' '), { type: 'emoji', name: 'wave', unicode: '1f44b-1f3fd' }, { type: 'emoji', name: 'party_kiki' }],
        ...[text(' '), { type: 'broadcast', range: 'here' }, text(' <@UBOB>')],
      ),
    ],
    '@alice in #general: this (https://example.com/?a=1&b=2) https://e.com 👋🏽:party_kiki: @here <@UBOB>',
  ],
  ['struck words, and bold ones as plain', [section(text('five', { strike: true }), text(' six', { bold: true }))], '~five~ six'],
  ['a date', [section({ type: 'date', timestamp: 0, format: '{date}', fallback: 'Jan 1' })], 'Jan 1'],
  ['an element of a future kind', [section({ type: 'hologram' }, text('beam me up'))], 'beam me up'],
  ['nothing that can be shown', [section({ type: 'hologram' })], 'the fallback'],
])('%s has the text that people see', async (_name, elements, expected) => {
  expect(await seen(elements)).toBe(expected)
})

test('a mention in a list is a mention', async () => {
  await using on = await startOnSlack()
  const item = section({ type: 'user', user_id: 'UKIKI' }, text(' brings cake'))
  const blocks = [{ type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements: [item] }] } as SlackBlock]
  await on.slack.say({ author: 'bob', channel: 'general', text: '• <@UKIKI> brings cake', raw: true, blocks })
  await until(() => on.turns.length === 1)
  expect(on.turns[0]).toMatchObject({ addressed: 'mention', message: { text: '• @kiki brings cake' } })
})
