/** The options of the plugin. */
import { people } from 'kikimimi'
import { z } from 'zod'

const variables = (what: string) => z.record(z.string().min(1), z.string().regex(/^\w+$/)).default({}).describe(what)

/** What both kinds of servers have. */
const common = {
  resources: z.boolean().default(true).describe('Offer tools that list and read the resources of the server.'),
}

const stdio = z.strictObject({
  command: z.string().min(1).describe('Program that speaks MCP on its standard input and output.'),
  args: z.array(z.string()).default([]).describe('Arguments of the program.'),
  cwd: z.string().optional().describe('Folder in which it runs. Default: the folder of the bot.'),
  env: variables('Variables of the program, each with the name of the environment variable of the bot that holds its value.'),
  ...common,
})

const http = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).describe('Address of the server: streamable HTTP.'),
  headers: variables('Headers of each request, each with the name of the environment variable of the bot that holds its value.'),
  oauth: z.boolean().default(false).describe('The server wants a login: run `kikimimi mcp login NAME`.'),
  ...common,
})

const server = z.union([stdio, http])

const NAMED = 'expected SERVER, SERVER/TOOL, SERVER/BEGINNING*, or *'

const rule = z.strictObject({
  tools: z
    .array(z.string().regex(/^(\*|[a-z][a-z0-9]*(\/[^*]*\*?)?)$/, { error: NAMED }))
    .nonempty()
    .describe('`SERVER`, `SERVER/TOOL`, `SERVER/BEGINNING*`, or `*`.'),
  channels: z.array(z.string().min(1)).optional().describe('Names or ids of channels. Default: everywhere.'),
  people: people.prefault('everyone').describe('Who may use them, as in `access`.'),
  confirm: z
    .enum(['changes', 'always', 'never'])
    .default('changes')
    .describe('Which calls the person who asks must confirm. `changes`: those of tools that are not marked as read-only.'),
})

export type ServerOptions = z.output<typeof server>
export type StdioOptions = z.output<typeof stdio>
export type HttpOptions = z.output<typeof http>
export type Rule = z.output<typeof rule>

export const options = z
  .strictObject({
    servers: z.record(z.string(), server).default({}).describe('MCP servers by name: up to 20 lower-case letters and digits.'),
    rules: z
      .array(rule)
      .default([])
      .describe('Who may use which tools, and where. The first rule that fits a tool and a channel counts.'),
    toolTokens: z
      .int()
      .min(100)
      .default(4_000)
      .describe('Estimated tokens that the descriptions of all MCP tools together may take in a prompt.'),
  })
  .superRefine(({ servers, rules }, context) => {
    for (const name of Object.keys(servers)) {
      if (/^[a-z][a-z0-9]{0,19}$/.test(name)) continue
      context.addIssue({
        code: 'custom',
        path: ['servers', name],
        message: 'expected a name of up to 20 lower-case letters and digits',
      })
    }
    for (const [index, { tools }] of rules.entries())
      for (const pattern of tools) {
        const [name = ''] = pattern.split('/')
        if (name === '*' || Object.hasOwn(servers, name)) continue
        context.addIssue({ code: 'custom', path: ['rules', index, 'tools'], message: `there is no server "${name}"` })
      }
  })
  .prefault({})

export type Options = z.output<typeof options>
