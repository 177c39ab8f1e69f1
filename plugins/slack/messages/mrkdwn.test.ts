import { describe, expect, test } from 'vitest'
import { fromMrkdwn, idsIn, toMrkdwn } from './mrkdwn.ts'

describe('outgoing', () => {
  test.each([
    ['**bold** and *italic* and ~~gone~~', '*bold* and _italic_ and ~gone~'],
    ['***both*** **one *in* another**', '*_both_* *one _in_ another*'],
    ['# Title\ntext', '*Title*\ntext'],
    ['- one\n- two\n  * three', '• one\n• two\n  • three'],
    ['- [ ] open\n- [x] done', '☐ open\n☑ done'],
    ['see [the docs](https://example.com/a_(b)?x=1&y=2)', 'see <https://example.com/a_(b)?x=1&amp;y=2|the docs>'],
    ['<https://example.com>', '<https://example.com>'],
    ['![a cat](https://example.com/cat.png)', '<https://example.com/cat.png|a cat>'],
    ['1 < 2 && 3 > 2', '1 &lt; 2 &amp;&amp; 3 &gt; 2'],
    ['> quoted', '> quoted'],
    ['2*3*4 and snake__case__name', '2*3*4 and snake__case__name'],
    ['これは**大事**です', 'これは\u200B*大事*\u200Bです'],
  ])('%j becomes %j', (markdown, mrkdwn) => {
    expect(toMrkdwn(markdown)).toBe(mrkdwn)
  })

  test('code stays unchanged, except for Slack’s own markup', () => {
    expect(toMrkdwn('```js\nif (a < b) **c**\n```\nand `**d** <e>`')).toBe('```\nif (a &lt; b) **c**\n```\nand `**d** &lt;e&gt;`')
  })

  test.each([
    '<!everyone>',
    '<!here>',
    '<!channel|all>',
    '<!subteam^S123|@team>',
    '<@U123>',
    '[x](<!here>)',
    '[x](!everyone)',
    '[<!here>](https://example.com)',
    '[x](https://example.com|<!here>)',
    '<https://example.com|<!channel>>',
    '`<!here>`',
    '```\n<!here>\n```',
    '\uE0000\uE001<!here>',
    '**<!channel>**',
  ])('%j notifies nobody', markdown => {
    expect(toMrkdwn(markdown)).not.toMatch(/<[!@#]/)
  })
})

describe('incoming', () => {
  const names = { user: (id: string) => ({ U1: 'alice' })[id] ?? id, channel: (id: string) => ({ C1: 'general' })[id] ?? id }

  test.each([
    ['<@U1> hello <@U1|a>', '@alice hello @alice'],
    ['in <#C1> and <#C2|random>', 'in #general and #random'],
    ['<https://example.com|the docs> <https://example.com>', 'the docs (https://example.com) https://example.com'],
    ['<mailto:a@example.com|a@example.com>', 'a@example.com'],
    ['<!here> <!subteam^S1|@team> <!date^1392734382^{date}|Feb 18>', '@here @team Feb 18'],
    ['a &lt;b&gt; &amp;amp; c', 'a <b> &amp; c'],
  ])('%j is read as %j', (mrkdwn, text) => {
    expect(fromMrkdwn(mrkdwn, names)).toBe(text)
  })

  test('gives the mentioned ids', () => {
    expect(idsIn('<@U1> <@U1|a> <#C1|x> <!here> <https://a>')).toEqual({ users: ['U1'], channels: ['C1'] })
  })
})
