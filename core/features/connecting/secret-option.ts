import { z } from 'zod'

/**
 * Schema part for a text that the bot cannot work without, such as a token. Default: a variable of the environment. `kikimimi add` asks for
 * it.
 *
 * @param variable its name in the environment
 * @param does a sentence about the option, for the documentation and the dashboard
 * @param where where people find the text, for the error when there is none
 * @example z.object({ token: secretOption('ROOM_TOKEN', 'Token of the bot.', 'the token that the admin of the room gives') })
 */
export function secretOption(variable: string, does: string, where: string): z.ZodDefault<z.ZodString> {
  return z
    .string()
    .trim()
    .default(() => process.env[variable]?.trim() ?? '')
    .refine(text => text !== '', { error: `expected ${where}; set ${variable}` })
    .describe(`${does} Default: the environment’s \`${variable}\`.`)
    .meta({ environment: variable, asked: true })
}
