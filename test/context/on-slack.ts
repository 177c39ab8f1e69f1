/** The places of the Slack emulator. */
import slackPlugin from '@kikimimi/slack'
import { startSlack } from '@kikimimi/slack/testing'
import { startBot } from 'kikimimi'
import { silentLog } from 'kikimimi/testing'
import type { Card, Stage, StageOptions } from './place.ts'
import { configOf } from './stage.ts'

const READS = ['conversations.history', 'conversations.replies']

export async function onSlack(options: StageOptions): Promise<Stage> {
  const slack = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' }, ...(options.isDistributed && { historyEvery: 60 }) })
  const { botToken, appToken, apiUrl } = slack
  const plugin = slackPlugin({ botToken, appToken, apiUrl, timeout: '5s' })
  const bot = await startBot(configOf(plugin, options), { env: {}, log: silentLog })

  const attachmentOf = ({ title, text, author, url, fields = {} }: Card) => ({
    title,
    text,
    fallback: title,
    ...(author !== undefined && { author_name: author }),
    ...(url !== undefined && { title_link: url }),
    fields: Object.entries(fields).map(([title, value]) => ({ title, value })),
  })

  return {
    open(name, { topic }) {
      const channel = slack.channel(name)
      if (topic !== undefined) channel.topic = topic

      return {
        platform: 'slack',
        async say(author, text, { in: thread, to, unheard = false, card, files = [], app = false } = {}) {
          const mention = text.startsWith('@kiki ')
          const under = thread ?? to
          const { ts } = await slack.say({
            author,
            channel: name,
            text: mention ? text.slice('@kiki '.length) : text,
            mention,
            quietly: unheard,
            bot: app,
            ...(under !== undefined && { thread: under }),
            ...(card && { attachments: [attachmentOf(card)] }),
            ...(files.length > 0 && { files: files.map(({ name, type, data }) => ({ name, mimetype: type, content: data })) }),
          })
          return ts
        },
        thread: async under => under,
        edit: (message, text) => slack.edit(name, message, text.replace('@kiki', '<@UKIKI>')),
        remove: message => slack.delete(name, message),
        unfurl: (message, card) => slack.unfurl(name, message, [attachmentOf(card)]),
        async forward(author, text) {
          const { ts } = await slack.say({ author: 'dora', channel: 'lobby', text, quietly: true })
          await slack.share(author, { channel: 'lobby', ts }, name)
        },
        pin: (author, message) => slack.pin(author, name, message),
        trouble(kind) {
          const refused = {
            limited: { rateLimit: true, retryAfter: 30 },
            silent: { hang: true },
            forbidden: { error: 'missing_scope' },
          }
          for (const method of READS) slack.fail(method, refused[kind] as Parameters<typeof slack.fail>[1], 99)
        },
        get posted() {
          return slack.posted.flatMap(({ ts: id, channel: where, text, thread }) =>
            where === name ? [{ id, text, ...(thread !== undefined && { in: thread }) }] : [],
          )
        },
        get readings() {
          return slack.calls.filter(({ method }) => READS.includes(method)).length
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await bot.stop()
      await slack.close()
    },
  }
}
