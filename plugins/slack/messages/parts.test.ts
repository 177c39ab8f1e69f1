/** What a message shows besides its text, as the model gets it. */
import type { SlackAttachment, SlackBlock, SlackSaid } from '@kikimimi/slack/testing'
import type { KnownBlock } from '@slack/types'
import { describe, expect, test } from 'vitest'
import { ask, mention, startOnSlack, until } from '../test-bot.ts'

/** The message as the bot sees it, among what was said before a question. */
async function seen(said: Omit<SlackSaid, 'author' | 'channel' | 'text'> & { readonly text?: string }) {
  await using on = await startOnSlack()
  await on.slack.say({ author: 'alice', channel: 'general', text: '', ...said })
  await on.slack.say({ ...mention('what is this?'), author: 'bob' })
  await until(() => on.turns.length === 1)
  return on.turns[0]?.history[0]
}

describe.concurrent('attachments', () => {
  test.each<[string, SlackAttachment, object]>([
    [
      'an unfurled link',
      {
        ...{ service_name: 'GitHub', title: 'Fix the <frobnicator>', title_link: 'https://example.com/pull/1' },
        ...{ from_url: 'https://example.com/pull/1', text: 'It is *broken* since &lt;Tuesday&gt;', fallback: 'GitHub: Fix' },
      },
      {
        ...{ kind: 'card', author: 'GitHub', title: 'Fix the frobnicator', url: 'https://example.com/pull/1' },
        text: 'It is *broken* since <Tuesday>',
      },
    ],
    [
      'a card with fields',
      {
        ...{ author_name: 'CI', pretext: 'Build 7', text: 'failed', fallback: 'Build 7 failed', footer: 'main' },
        fields: [
          { title: 'Branch', value: 'main', short: true },
          { title: '', value: '<@UBOB>', short: true },
        ],
      },
      { kind: 'card', author: 'CI', text: 'Build 7\nfailed\nBranch: main\n@UBOB\nmain' },
    ],
    ['an attachment of which only a fallback is known', { fallback: 'Build 8 passed' }, { kind: 'card', text: 'Build 8 passed' }],
    [
      'an attachment made of blocks',
      {
        fallback: '[no preview available]',
        blocks: [
          { type: 'header', text: { type: 'plain_text', text: 'Lunch?' } },
          { type: 'section', text: { type: 'mrkdwn', text: 'Pizza: 2' } },
        ],
      },
      { kind: 'card', title: 'Lunch?', text: 'Pizza: 2' },
    ],
    [
      'a picture behind a link',
      { fallback: 'a cat', image_url: 'https://example.com/cat.png', title: 'cat.png', from_url: 'https://example.com/cat.png' },
      { kind: 'card', title: 'cat.png', url: 'https://example.com/cat.png' },
    ],
  ])('show %s as a card', async (_name, attachment, card) => {
    expect((await seen({ attachments: [attachment] }))?.parts).toEqual([card])
  })

  test('without anything to show are left out', async () => {
    expect((await seen({ text: 'hm', attachments: [{ fallback: '[no preview available]' }, {}] }))?.parts).toBeUndefined()
  })

  test('that repeat the text of the message are left out', async () => {
    const attachments = [{ fallback: 'Build 9 failed', text: 'Build 9 failed' }]
    expect(await seen({ text: 'Build 9 failed', attachments })).not.toHaveProperty('parts')
  })

  test('in a form that Slack does not document do no harm', async () => {
    const odd = [null, 7, { title: 7, fields: 'none', blocks: [{ type: 'section', text: 3 }, null], text: 'still readable' }]
    const [attachment] = [odd as unknown as SlackAttachment[]]
    expect((await seen({ attachments: attachment }))?.parts).toEqual([
      { kind: 'card', text: 'still readable\n[a block of the kind section]' },
    ])
  })
})

describe.concurrent('blocks of an app', () => {
  const section = (text: string): SlackBlock => ({ type: 'section', text: { type: 'mrkdwn', text } }) as SlackBlock

  test('are one card', async () => {
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: 'Deployment' } },
      section('Please look, <@UBOB>'),
      { type: 'divider' },
      {
        type: 'section',
        fields: [
          { type: 'mrkdwn', text: '*Service:*\nfrobnicator' },
          { type: 'mrkdwn', text: '*State*\nfailed\ntwice' },
        ],
        accessory: { type: 'image', image_url: 'https://example.com/1.png', alt_text: 'a red light' },
      },
      { type: 'image', image_url: 'https://example.com/2.png', alt_text: 'a graph that falls' },
      {
        type: 'context',
        elements: [
          { type: 'image', image_url: 'https://example.com/3.png', alt_text: 'logo' },
          { type: 'mrkdwn', text: 'by *deploybot*' },
        ],
      },
      {
        type: 'actions',
        elements: [
          { type: 'button', action_id: 'a', text: { type: 'plain_text', text: 'Try again' } },
          { type: 'button', action_id: 'b', text: { type: 'plain_text', text: 'Ignore' } },
        ],
      },
    ] as SlackBlock[]
    const message = await seen({ text: 'Deployment failed', blocks })
    expect(message?.text).toBe('Deployment failed')
    expect(message?.parts).toEqual([
      {
        kind: 'card',
        title: 'Deployment',
        text: [
          ...['Please look, @UBOB', 'Service: frobnicator', 'State: failed twice', 'a red light', 'a graph that falls'],
          ...['logo by *deploybot*', '[Try again] [Ignore]'],
        ].join('\n'),
      },
    ])
  })

  test('show a poll as a card', async () => {
    const blocks = [section('*Lunch?*'), section(':one: Pizza `2`\n<@UALICE>'), section(':two: Ramen')]
    expect((await seen({ text: 'Lunch?', blocks }))?.parts).toEqual([
      { kind: 'card', text: '*Lunch?*\n:one: Pizza `2`\n@alice\n:two: Ramen' },
    ])
  })

  test('show a table row by row', async () => {
    const cell = (text: string) => ({ type: 'raw_text', text })
    const blocks = [
      {
        type: 'table',
        rows: [
          [cell('train'), cell('at')],
          [cell('local'), cell('9:00')],
        ],
      },
    ] as SlackBlock[]
    expect((await seen({ blocks }))?.parts).toEqual([{ kind: 'card', text: 'train | at\nlocal | 9:00' }])
  })
})

/** Every kind of block that Slack documents, each alone in a message. The shapes are those of @slack/types and of the reference. */
describe.concurrent('a block', () => {
  const plain = (text: string) => ({ type: 'plain_text' as const, text })
  const mrkdwn = (text: string) => ({ type: 'mrkdwn' as const, text })
  const button = (text: string) => ({ type: 'button' as const, action_id: text, text: plain(text) })
  const option = (text: string) => ({ text: plain(text), value: text })
  const picture = (alt_text: string) => ({ type: 'image' as const, image_url: 'https://example.com/1.png', alt_text })
  const rich = (text: string) => ({
    type: 'rich_text' as const,
    elements: [{ type: 'rich_text_section' as const, elements: [{ type: 'text' as const, text }] }],
  })
  const task = (task_id: string, title: string, status: 'complete' | 'in_progress') => ({
    ...{ type: 'task_card' as const, task_id, title, status },
  })
  const SHOWN: Readonly<Record<KnownBlock['type'], readonly [block: KnownBlock, text: string][]>> = {
    actions: [
      [{ type: 'actions', elements: [button('Yes'), button('No')] }, '[Yes] [No]'],
      [
        {
          type: 'actions',
          elements: [{ type: 'static_select', placeholder: plain('Which room?'), options: [option('Fuji'), option('Aso')] }],
        },
        '[Which room?: Fuji, Aso]',
      ],
    ],
    alert: [[{ type: 'alert', level: 'warning', text: mrkdwn('The disk is nearly full') }, '[warning] The disk is nearly full']],
    card: [
      [
        {
          ...{
            type: 'card',
            title: mrkdwn('Deploy 81'),
            subtitle: mrkdwn('api'),
            body: mrkdwn('It failed'),
            icon: picture('red'),
          },
          ...{ hero_image: picture('a graph that falls'), actions: [button('Try again')] },
        },
        'a graph that falls\nred\nDeploy 81\napi\nIt failed\n[Try again]',
      ],
    ],
    carousel: [
      [
        {
          type: 'carousel',
          elements: [
            { type: 'card', title: mrkdwn('Flat 1'), actions: [button('See it')] },
            { type: 'card', body: mrkdwn('Flat 2') },
          ],
        },
        'Flat 1\n[See it]\nFlat 2',
      ],
    ],
    container: [
      [
        {
          ...{ type: 'container', title: plain('Incident'), subtitle: mrkdwn('open') },
          child_blocks: [{ type: 'section', text: mrkdwn('The queue stands') }, { type: 'divider' }],
        },
        'Incident\nopen\nThe queue stands',
      ],
      [{ type: 'container', rich_text_title: rich('Incident 2'), child_blocks: [] }, 'Incident 2'],
    ],
    context: [[{ type: 'context', elements: [picture('logo'), mrkdwn('by deploybot')] }, 'logo by deploybot']],
    context_actions: [
      [
        {
          type: 'context_actions',
          elements: [
            {
              type: 'feedback_buttons',
              positive_button: { text: plain('Good'), value: 'yes' },
              negative_button: { text: plain('Bad'), value: 'no' },
            },
            { type: 'icon_button', icon: 'trash', text: plain('Delete') },
          ],
        },
        '[Good] [Bad] [Delete]',
      ],
    ],
    data_table: [
      [
        {
          ...{ type: 'data_table', caption: 'Trains' },
          rows: [
            [{ type: 'raw_text', text: 'local' }, rich('9:00')],
            [
              { type: 'raw_text', text: 'express' },
              { type: 'raw_number', value: 12, text: '12' },
            ],
          ],
        } as KnownBlock,
        'Trains\nlocal | 9:00\nexpress | 12',
      ],
    ],
    divider: [],
    // Its file is among the files of the message.
    file: [],
    header: [[{ type: 'header', text: plain('Deployment') }, '']],
    image: [
      [picture('a cat'), 'a cat'],
      [{ ...picture('a cat'), title: plain('Momo') }, 'Momo'],
    ],
    input: [
      [
        {
          ...{ type: 'input', label: plain('Your room'), hint: plain('for today') },
          element: { type: 'radio_buttons', options: [option('Fuji'), option('Aso')] },
        },
        'Your room\nfor today\n[Fuji, Aso]',
      ],
    ],
    markdown: [[{ type: 'markdown', text: '**bold**' }, '**bold**']],
    plan: [
      [
        { type: 'plan', title: 'Research', tasks: [task('1', 'Read the log', 'complete'), task('2', 'Write', 'in_progress')] },
        'Research\n[complete] Read the log\n[in progress] Write',
      ],
    ],
    // The text of a message that an app writes in rich text alone.
    rich_text: [],
    section: [
      [
        {
          ...{ type: 'section', text: mrkdwn('Vote'), fields: [mrkdwn('*State:*\nopen')] },
          accessory: { type: 'overflow', action_id: 'o', options: [option('Close'), option('Edit')] },
        },
        'Vote\nState: open\n[Close, Edit]',
      ],
    ],
    table: [[{ type: 'table', rows: [[{ type: 'raw_text', text: 'a' }, rich('b')]] }, 'a | b']],
    task_card: [
      [
        {
          ...task('1', 'Read the log', 'complete'),
          ...{ details: rich('the last hour'), output: rich('two errors') },
          sources: [{ type: 'url', url: 'https://example.com/log', text: 'the log' }],
        },
        '[complete] Read the log\nthe last hour\ntwo errors\nthe log (https://example.com/log)',
      ],
    ],
    video: [
      [
        {
          ...{ type: 'video', title: plain('How to'), description: plain('in two minutes'), alt_text: 'a screen' },
          ...{ video_url: 'https://example.com/v', thumbnail_url: 'https://example.com/t.png' },
        },
        'How to\nin two minutes',
      ],
    ],
  }

  const chart = (chart: object) => ({ type: 'data_visualization', title: 'Pies', chart }) as unknown as KnownBlock
  const more: [kind: string, block: KnownBlock, text: string][] = [
    ['data_visualization', chart({ type: 'pie', segments: [{ label: 'Plum', value: 45 }] }), 'Pies\nPlum: 45'],
    [
      'data_visualization',
      chart({
        ...{ type: 'bar', axis_config: { categories: ['Plum', 'Pear'], x_label: 'Fruit', y_label: 'Percent' } },
        series: [
          {
            name: '2026',
            data: [
              { label: 'Plum', value: 4 },
              { label: 'Pear', value: 5 },
            ],
          },
        ],
      }),
      'Pies\n2026: Plum 4, Pear 5\nFruit, Percent',
    ],
    [
      'call',
      {
        type: 'call',
        call_id: 'R1',
        call: { v1: { name: 'weekly sync', join_url: 'https://example.com/j' } },
      } as unknown as KnownBlock,
      'weekly sync\nhttps://example.com/j',
    ],
    [
      'unknown',
      { type: 'timeline', heading: { type: 'plain_text', text: 'x' } } as unknown as KnownBlock,
      '[a block of the kind timeline]',
    ],
    ['unknown', { type: 'gauge', label: 'Load', value: 3 } as unknown as KnownBlock, 'Load'],
  ]

  const known = Object.entries(SHOWN).flatMap(([kind, all]) => all.map(([block, text]) => [kind, block, text] as const))
  test.each([...known, ...more])('of the kind %s is shown: %j', async (_kind, block, text) => {
    const [part, ...rest] = (await seen({ blocks: [block] }))?.parts ?? []
    expect(rest).toEqual([])
    expect(part?.text ?? '').toBe(text)
    expect(part?.kind).toBe('card')
  })
})

describe.concurrent('a shared message', () => {
  test('is shown with its author, its place and its words', async () => {
    await using on = await startOnSlack()
    const { ts } = await on.slack.say({ author: 'carol', channel: 'random', text: 'the fridge is empty' })
    await on.slack.share('alice', { channel: 'random', ts }, 'general', 'look at that')
    await ask(on, 'what is it about?')
    expect(on.turns[0]?.history[0]).toMatchObject({
      text: 'look at that',
      parts: [
        {
          ...{ kind: 'forward', author: 'carol', title: 'Posted in #random', text: 'the fridge is empty' },
          url: expect.stringContaining('/archives/CRANDOM/p'),
        },
      ],
    })
  })

  test('without a comment is a message, too', async () => {
    await using on = await startOnSlack()
    const { ts } = await on.slack.say({ author: 'carol', channel: 'random', text: 'the fridge is empty' })
    await on.slack.share('alice', { channel: 'random', ts }, '@alice')
    await until(() => on.turns.length === 1)
    expect(on.turns[0]?.message).toMatchObject({ text: '', parts: [{ kind: 'forward', text: 'the fridge is empty' }] })
  })
})

describe.concurrent('files', () => {
  test('have their type and name, and a recording is sound with its words', async () => {
    const files = [
      { name: 'notes.txt', mimetype: 'text/plain', content: Buffer.from('hello') },
      { name: 'audio_message.m4a', mimetype: 'video/mp4', subtype: 'slack_audio' as const, transcription: 'I am late' },
    ]
    const message = await seen({ files })
    expect(message?.attachments).toMatchObject([
      { type: 'text/plain', name: 'notes.txt' },
      { type: 'audio/mp4', name: 'audio_message.m4a' },
    ])
    expect(message?.parts).toEqual([{ kind: 'card', title: 'audio_message.m4a', text: 'I am late' }])
  })
})

describe.concurrent('a notice', () => {
  test('of a topic or a pinned message is an event that calls nobody', async () => {
    await using on = await startOnSlack({ config: { pacing: { minWait: 0, jitter: 0 } } })
    const { ts } = await on.slack.say({ author: 'bob', channel: 'general', text: 'the door code is 42' })
    await on.slack.pin('alice', 'general', ts)
    await on.slack.setTopic('carol', 'general', 'ask <@UKIKI>')
    await on.bot.drained()
    expect(on.turns).toEqual([])
    await ask(on, 'what happened?')
    expect(
      on.turns[0]?.history.slice(1, 3).map(({ author, text, mentions, parts }) => [author.name, text, mentions, parts]),
    ).toEqual([
      [
        ...['alice', '', []],
        [
          { kind: 'event', text: '@alice pinned a message to this channel.' },
          { kind: 'card', author: 'bob', text: 'the door code is 42' },
        ],
      ],
      ['carol', '', [], [{ kind: 'event', text: '@carol set the channel topic: ask @kiki' }]],
    ])
  })

  test('says who added the bot to the channel', async () => {
    await using on = await startOnSlack()
    on.slack.channel('general').isMember = false
    await on.slack.join('general', 'alice')
    await ask(on, 'welcome')
    expect(on.turns[0]?.history[0]).toMatchObject({
      author: { name: 'alice' },
      own: false,
      text: '',
      parts: [{ kind: 'event', text: '@kiki has joined the channel' }],
    })
  })

  test('in a direct conversation is not answered', async () => {
    await using on = await startOnSlack()
    const { ts } = await on.slack.say({ author: 'alice', channel: '@alice', text: 'the door code is 42' })
    await until(() => on.texts().length === 1)
    await on.slack.pin('alice', '@alice', ts)
    await on.bot.drained()
    expect(on.texts()).toHaveLength(1)
  })
})
