import type { FastifyInstance } from 'fastify'
import { conversationId, type PluginContext } from 'kikimimi'
import { LOCALES } from 'kikimimi/host'
import { z } from 'zod'
import { latestMessages, turns } from '../history/turns.ts'
import { message, turn } from '../history/views.ts'
import { refused, withTypes } from '../server/typed.ts'
import { isBot, type Playground, placeOf } from './playground.ts'

const SHOWN = 200

const name = z.string().regex(/^[\p{L}\p{M}\p{N}_.-]{1,32}$/u, 'a name has letters, digits, _, . and -, 32 at most')
const room = z
  .string()
  .regex(/^@?[\p{L}\p{M}\p{N}_.-]{1,32}$/u, 'the name of a room has letters, digits, _, . and -, 32 at most')
  .describe('Name of the room. @alice is the direct conversation of alice with the bot.')
const id = z.string().min(1).max(500)
const text = z.string().trim().min(1, 'say something').max(4_000, '4,000 characters at most')
const emoji = z.string().trim().min(1).max(100)
const gone = { message: 'There is no such message.' }

const overview = z.object({
  bot: z.object({ id: z.string(), name: z.string(), names: z.array(z.string()) }),
  rooms: z.array(z.string()).describe('Rooms with messages, latest first.'),
  people: z.array(z.object({ id: z.string(), name: z.string() })).describe('Authors of messages, latest first.'),
})

const where = z.object({ room })
const which = z.object({ id })

export interface PlaygroundParts {
  readonly playground: Playground
}

export function playgroundRoutes(
  server: FastifyInstance,
  ctx: Pick<PluginContext, 'db' | 'use'>,
  { playground }: PlaygroundParts,
): void {
  const typed = withTypes(server)

  typed.get(
    '/api/playground',
    { config: { role: 'moderator' }, schema: { summary: 'Rooms and people of the playground', response: { 200: overview } } },
    async () => {
      const rooms = await ctx.db.query<{ channel: string }>(
        `select c.channel from kikimimi_v1.conversation c where c.platform = $1 and c.thread is null
         order by (select l.seq from kikimimi_v1.latest l where l.conversation = c.id) desc nulls last limit 50`,
        [playground.platform.name],
      )
      const people = await ctx.db.query<{ id: string; name: string }>(
        `select id, (array_agg(name order by last_seq desc))[1] as name from kikimimi_v1.author
         where platform = $1 group by id order by max(last_seq) desc limit 50`,
        [encodeURIComponent(playground.platform.name)],
      )
      return {
        bot: { ...playground.platform.me, names: [...playground.namesIn('')] },
        rooms: rooms.rows.map(({ channel }) => channel),
        people: people.rows,
      }
    },
  )

  typed.get(
    '/api/playground/messages',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Latest messages of a room, with the decisions of the bot',
        querystring: where,
        response: { 200: z.object({ conversation: z.string(), messages: z.array(message), turns: z.array(turn) }) },
      },
    },
    async ({ query }) => {
      const conversation = conversationId(placeOf(query.room))
      const messages = await latestMessages(ctx, conversation, SHOWN)
      return { conversation, messages, turns: await turns(ctx, { conversation, limit: SHOWN }) }
    },
  )

  typed.post(
    '/api/playground/messages',
    {
      config: { role: 'moderator' },
      bodyLimit: 65_536,
      schema: {
        summary: 'Send a message as a person',
        body: z.strictObject({
          room,
          thread: id.optional(),
          author: name,
          text,
          replyTo: id.optional(),
          locale: z.enum(LOCALES).optional().catch(undefined).describe('Language of an answer to a command.'),
        }),
        response: {
          200: z.object({
            id: id.optional(),
            heard: z.boolean().describe('False if a filter dropped it.'),
            answer: z.string().optional().describe('Answer to a command, for its author only.'),
          }),
          400: refused,
        },
      },
    },
    async ({ body }, reply) => {
      const alone = body.room.startsWith('@') && body.room.slice(1) !== body.author
      if (alone || isBot(body.author, playground.namesIn(body.room))) {
        return reply.code(400).send({ message: `${body.author} cannot speak there.` })
      }
      return playground.say(body)
    },
  )

  typed.patch(
    '/api/playground/messages/:id',
    {
      config: { role: 'moderator' },
      bodyLimit: 65_536,
      schema: { summary: 'Edit a message of a person', params: which, body: where.extend({ text }).strict() },
    },
    async ({ params, body }, reply) => {
      if (!(await playground.edit(body.room, params.id, body.text))) return reply.code(404).send(gone)
      return {}
    },
  )

  typed.delete(
    '/api/playground/messages/:id',
    { config: { role: 'moderator' }, schema: { summary: 'Delete a message of a person', params: which, querystring: where } },
    async ({ params, query }, reply) => {
      if (!(await playground.remove(query.room, params.id))) return reply.code(404).send(gone)
      return {}
    },
  )

  typed.post(
    '/api/playground/messages/:id/reactions',
    {
      config: { role: 'moderator' },
      bodyLimit: 4_096,
      schema: {
        summary: 'Add or remove a reaction',
        params: which,
        body: z.strictObject({ room, by: name, emoji, removed: z.boolean().optional() }),
      },
    },
    async ({ params, body }, reply) => {
      if (!(await playground.react(body.room, params.id, body))) return reply.code(404).send(gone)
      return {}
    },
  )
}
