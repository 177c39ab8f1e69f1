/** The invite wizard: which variables of the environment a platform needs, whether they are set, and whether they work. */
import type { FastifyInstance } from 'fastify'
import { Operator, type PluginContext } from 'kikimimi'
import { z } from 'zod'
import { refused, withTypes } from '../server/typed.ts'
import { inviteReport, platformView } from './views.ts'

/** The variables of each platform, in the order in which they are needed, and where its tokens come from. */
const PLATFORMS = [
  {
    name: 'discord',
    at: 'https://discord.com/developers/applications',
    variables: [{ name: 'DISCORD_TOKEN', option: 'token', from: 'Bot → Reset Token' }],
  },
  {
    name: 'slack',
    at: 'https://api.slack.com/apps',
    variables: [
      { name: 'SLACK_BOT_TOKEN', option: 'botToken', from: 'OAuth & Permissions → Bot User OAuth Token, xoxb-…' },
      { name: 'SLACK_APP_TOKEN', option: 'appToken', from: 'Basic Information → App-Level Tokens, xapp-…' },
    ],
  },
] as const

export function inviteRoutes(server: FastifyInstance, ctx: Pick<PluginContext, 'use'>): void {
  const typed = withTypes(server)

  typed.get(
    '/api/studio/platforms',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'The platforms to which the bot can be invited, and which variables of the environment are set',
        response: { 200: z.object({ platforms: z.array(platformView) }) },
      },
    },
    async () => {
      const running = ctx.use(Operator).plugins.map(({ name }) => name)
      return {
        platforms: PLATFORMS.map(({ name, at, variables }) => ({
          ...{ name, at, isRunning: running.includes(name) },
          // Only whether: the value never leaves the process.
          variables: variables.map(({ name, from }) => ({ name, from, isSet: (process.env[name] ?? '').trim() !== '' })),
        })),
      }
    },
  )

  typed.post(
    '/api/studio/invite',
    {
      config: { role: 'owner' },
      bodyLimit: 1_024,
      schema: {
        summary: 'Ask a platform whether tokens work, those of the running bot or given ones, and how to invite the bot',
        body: z.strictObject({
          platform: z.enum(PLATFORMS.map(({ name }) => name)),
          tokens: z
            .record(z.string().max(100), z.string().trim().min(1).max(500))
            .optional()
            .describe('By variable. They are used for this request and kept nowhere. Absent: those of the running bot.'),
        }),
        response: { 200: inviteReport, 404: refused },
      },
    },
    async ({ body: { platform, tokens } }, reply) => {
      const variables = PLATFORMS.find(({ name }) => name === platform)?.variables ?? []
      const options = Object.fromEntries(
        variables.flatMap(({ name, option }) => (tokens?.[name] === undefined ? [] : [[option, tokens[name]]])),
      )
      const report = await ctx.use(Operator).invite(platform, tokens && options)
      if (!report)
        return reply.code(404).send({ message: `The bot runs without ${platform}. Set its variables, and start the bot again.` })
      return { ...report, findings: [...report.findings] }
    },
  )
}
