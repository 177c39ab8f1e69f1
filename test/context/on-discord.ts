/** The places of the Discord emulator. */
import { setTimeout as pause } from 'node:timers/promises'
import discordPlugin from '@kikimimi/discord'
import { startDiscord } from '@kikimimi/discord/testing'
import { startBot } from 'kikimimi'
import { silentLog } from 'kikimimi/testing'
import type { Card, Stage, StageOptions } from './place.ts'
import { configOf } from './stage.ts'

/** An event of the gateway has arrived and is recorded, in milliseconds. Discord acknowledges none. */
const DELIVERY = 40
const READS = ['GET /channels/:channel/messages', 'GET /channels/:channel/messages/:message']

export async function onDiscord(options: StageOptions): Promise<Stage> {
  const discord = await startDiscord({ guilds: [{ name: 'team', channels: ['lobby'] }] })
  const plugin = discordPlugin({ token: discord.token, apiUrl: discord.apiUrl, timeout: '5s' })
  const bot = await startBot(configOf(plugin, options), { env: {}, log: silentLog })

  const embedOf = ({ title, text, author, url, fields = {} }: Card) => ({
    title,
    description: text,
    ...(author !== undefined && { author: { name: author } }),
    ...(url !== undefined && { url }),
    fields: Object.entries(fields).map(([name, value]) => ({ name, value })),
  })

  return {
    open(name, { topic, isUnreadable = false }) {
      const denied = isUnreadable ? (['ReadMessageHistory'] as const) : []
      const channel = discord.channel({ name, denied, ...(topic !== undefined && { topic }) })
      const threads = new Set<string>()
      let forum: string | undefined
      const isHere = (where: string) => where === channel || threads.has(where)
      const opened = (thread: string) => {
        threads.add(thread)
        return thread
      }

      return {
        platform: 'discord',
        async say(author, text, { in: thread, to, unheard = false, card, files = [], app = false } = {}) {
          const attachments = files.map(({ name, type, data }) => ({ name, type, data }))
          const where = { channel: thread ?? channel, ...(to !== undefined && { replyTo: to }), unheard, bot: app }
          const id = discord.say({ author, text, ...where, attachments, ...(card && { embeds: [embedOf(card)] }) })
          if (!unheard) await pause(DELIVERY)
          return id
        },
        thread: async (under, title) => opened(discord.thread({ channel, name: title, from: under })),
        async edit(message, text) {
          discord.edit(message, text)
          await pause(DELIVERY)
        },
        async remove(message) {
          discord.delete(message)
          await pause(DELIVERY)
        },
        async unfurl(message, card) {
          discord.unfurl(message, [embedOf(card)])
          await pause(DELIVERY)
        },
        async forward(author, text) {
          const original = discord.say({ author: 'dora', channel: 'lobby', text, unheard: true })
          discord.say({ author, text: '', channel, forward: original })
        },
        pin: async (author, message) => discord.pin(message, author),
        trouble(kind) {
          const refused = { limited: { status: 429, retryAfter: 30 }, silent: 'hang', forbidden: { status: 403, code: 50_001 } }
          for (const route of READS) discord.fail(route, refused[kind] as Parameters<typeof discord.fail>[1], 99)
        },
        get posted() {
          const here = discord.posted.filter(({ channel }) => isHere(channel))
          return here.map(({ id, text, channel: where }) => ({ id, text, ...(where !== channel && { in: where }) }))
        },
        get readings() {
          return discord.calls.filter(({ method, path }) => method === 'GET' && /^\/channels\/\d+\/messages/.test(path)).length
        },
        forumPost(author, { title, text, tags = [], unheard = false }) {
          forum ??= discord.channel({ name: `${name}-forum`, type: 'forum', tags: ['bug', 'solved'] })
          if (!unheard) return opened(discord.thread({ channel: forum, name: title, author, text, tags }))
          const post = opened(discord.thread({ channel: forum, name: title, author, tags }))
          discord.say({ author, channel: post, text, unheard })
          return post
        },
        bareThread: title => opened(discord.thread({ channel, name: title })),
        circle(author, text) {
          const id = discord.snowflake()
          const other = discord.say({ author, text, channel, replyTo: id, unheard: true })
          return discord.say({ id, author, text, channel, replyTo: other, unheard: true })
        },
        poll: (author, question, answers) => discord.say({ author, channel, text: '', poll: { question, answers } }),
        sticker: (author, sticker) => void discord.say({ author, channel, text: '', stickers: [sticker] }),
      }
    },
    async [Symbol.asyncDispose]() {
      await bot.stop()
      await discord.close()
    },
  }
}
