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
    variables: [{ name: 'DISCORD_TOKEN', from: 'Bot → Reset Token' }],
  },
  {
    name: 'slack',
    at: 'https://api.slack.com/apps',
    variables: [
      { name: 'SLACK_BOT_TOKEN', from: 'OAuth & Permissions → Bot User OAuth Token, xoxb-…' },
      { name: 'SLACK_APP_TOKEN', from: 'Basic Information → App-Level Tokens, xapp-…' },
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
          variables: variables.map(one => ({ ...one, isSet: (process.env[one.name] ?? '').trim() !== '' })),
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
        summary: 'Ask a platform whether the tokens of the running bot work, and how to invite it',
        body: z.strictObject({ platform: z.string().min(1).max(200) }),
        response: { 200: inviteReport, 404: refused },
      },
    },
    async ({ body }, reply) => {
      const report = await ctx.use(Operator).invite(body.platform)
      if (!report)
        return reply
          .code(404)
          .send({ message: `The bot runs without ${body.platform}. Set its variables, and start the bot again.` })
      return { ...report, findings: [...report.findings] }
    },
  )
}
