/** What an MCP client can read of the bot: messages, people, channels, facts, turns, replays. */
import type { FactStore } from '@kikimimi/facts'
import type { Replays } from '@kikimimi/replay'
import { type LoggedMessage, MessageLog, type PluginContext, service } from 'kikimimi'
import { z } from 'zod'

/** The tokens by name: importing those of the packages would load all of them. */
const Facts = service<FactStore>('facts', '@kikimimi/facts')
const Replayed = service<Replays>('replays', '@kikimimi/replay')

export interface ReadTool {
  readonly name: string
  readonly description: string
  readonly input: Readonly<Record<string, z.ZodType>>
  run(args: Readonly<Record<string, unknown>>): Promise<unknown>
}

const limit = z.int().min(1).max(200).default(30).describe('The most results.')
const channel = z.string().optional().describe('Name or id of a channel. Default: all.')

/** Checks the arguments and gives them their types. */
function tool<S extends Readonly<Record<string, z.ZodType>>>(
  name: string,
  description: string,
  input: S,
  run: (args: z.output<z.ZodObject<S>>) => Promise<unknown>,
): ReadTool {
  const schema = z.object(input)
  return { name, description, input, run: async args => run(schema.parse(args)) }
}

export function readTools({ db, use }: Pick<PluginContext, 'db' | 'use'>): readonly ReadTool[] {
  const rows = async <T>(sql: string, values: readonly unknown[]) => (await db.query<T>(sql, values)).rows
  return [
    tool(
      'search_messages',
      'Messages with all of these words, the newest first. Without words: the latest messages.',
      {
        words: z.string().max(200).default('').describe('Words or parts of words, separated by spaces.'),
        channel,
        author: z.string().optional().describe('Name or id of the author.'),
        since: z.iso.datetime().optional().describe('Only messages from this time on.'),
        before: z.int().optional().describe('Only messages before this `seq`: for the next page.'),
        limit,
      },
      async ({ words, channel, author, since, before, limit }) => {
        const found = await use(MessageLog).read({
          ...{ readers: 'operator', words: words.split(/\s+/).filter(word => word !== ''), limit },
          ...(channel !== undefined && {
            conversations: (await rows<{ id: string }>(NAMED, [plain(channel)])).map(({ id }) => id),
          }),
          ...(author !== undefined && { author }),
          ...(since !== undefined && { since: new Date(Date.parse(since) - 1) }),
          ...(before !== undefined && { before }),
        })
        return found.toReversed().map(viewOf)
      },
    ),
    tool(
      'recall_facts',
      'Facts that the bot has learned, the newest first, also those that hold no more (`validTo`). Without a text: the latest.',
      {
        text: z.string().max(200).optional().describe('Words that a fact must have.'),
        limit,
      },
      async ({ text, limit }) => {
        const facts = use(Facts, 'optional')
        if (!facts) return 'This bot has no facts: the plugin facts() is not in bot.config.ts.'
        const { entries } = await facts.review({ queue: 'all', text, limit })
        return entries.map(({ fact }) => fact)
      },
    ),
    tool(
      'list_channels',
      'Channels and threads in which the bot has heard something.',
      { name: z.string().optional(), limit },
      ({ name, limit }) => rows(CHANNELS, [plain(name), limit]),
    ),
    tool(
      'list_people',
      'People by the number of their messages.',
      { name: z.string().optional().describe('A part of the name.'), limit },
      ({ name, limit }) => rows(PEOPLE, [name ? `%${name.replace(/[\\%_]/g, '\\$&')}%` : null, limit]),
    ),
    tool(
      'list_turns',
      'Turns of the bot, the newest first: when it spoke, was silent or failed.',
      { channel, outcome: z.enum(['silent', 'delayed', 'replied', 'cancelled', 'failed']).optional(), limit },
      ({ channel, outcome, limit }) => rows(TURNS, [plain(channel), outcome ?? null, limit]),
    ),
    tool(
      'explain_turn',
      'Why the bot spoke or was silent: the whole trace of a turn, with points, decision, sections, model calls, tools and costs.',
      { id: z.string().describe('Id of a turn, of a message that it processed, or of an answer of the bot.') },
      async ({ id }) => {
        const found = await rows(TRACE, [id])
        return found.length > 0 ? found : 'No turn has processed such a message. Traces are kept for some days.'
      },
    ),
    tool(
      'replay_channel',
      'What the bot would have done with the last messages of a channel, with the options of today and with others. Nothing is sent.',
      {
        channel: z.string().describe('Id of the channel, as list_channels has it.'),
        settings: z
          .record(z.string(), z.record(z.string(), z.unknown()))
          .default({})
          .describe('Other options, by plugin and name: {"judge-rules": {"threshold": 40}}.'),
        messages: z.int().min(10).max(1_000).default(200).describe('How many messages.'),
      },
      async ({ channel, settings, messages }) => {
        const replays = use(Replayed, 'optional')
        if (!replays) return 'This bot has no replays: the plugin replay() is not in bot.config.ts.'
        return replays.replay({ channel, settings, limit: messages })
      },
    ),
  ]
}

function plain(name: string | undefined): string | null {
  return name?.replace(/^#/, '') ?? null
}

function viewOf({ seq, conversation, id, author, own, text, at, replyTo }: LoggedMessage) {
  const where = { conversation: conversation.id, channel: conversation.name, visibility: conversation.visibility }
  return { seq, ...where, id, author: author.name, author_id: author.id, own, text, at, reply_to: replyTo ?? null }
}

const NAMED = 'select id from kikimimi_v1.conversation where name = $1 or channel = $1 or id = $1'

const CHANNELS = `
  select id, platform, workspace, name, visibility, details, last_reply_at from kikimimi_v1.conversation
  where $1::text is null or name = $1 or channel = $1 order by name, id limit $2`

const PEOPLE = `
  select platform, id, (array_agg(name order by last_at desc))[1] as name, bool_or(bot) as bot, sum(messages)::int as messages,
    max(last_at) as last_at
  from kikimimi_v1.author where $1::text is null or name ilike $1 group by platform, id order by 5 desc, id limit $2`

const TURNS = `
  select t.turn, t.at, c.name as channel, t.conversation, t.outcome, t.trigger, t.data->'decision'->>'why' as why
  from kikimimi_v1.trace t left join kikimimi_v1.conversation c on c.id = t.conversation
  where ($1::text is null or c.name = $1 or c.channel = $1 or c.id = $1) and ($2::text is null or t.outcome = $2)
  order by t.seq desc limit $3`

const TRACE = `
  select data from kikimimi_v1.trace
  where turn = $1 or trigger = $1 or data->'messages' ? $1 or data->'sent' ? $1 order by seq desc limit 3`
