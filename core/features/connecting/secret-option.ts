import { z } from 'zod'

/**
 * Schema part for a secret that a plugin needs, such as a token or a key. Default: a variable of the
 * environment. `kikimimi add` asks for it. It reads `process.env`: a test gives the option a value, or calls `vi.stubEnv`, and `env` of
 * `testBot` does not reach it.
 *
 * @param variable its name in the environment
 * @param does a sentence about the option, for the documentation and the dashboard
 * @param expected the text, with the place where people find it: the error without one is `expected EXPECTED; set VARIABLE`
 * @example z.object({ key: secretOption('WEATHER_KEY', 'Key of the service.', 'the key from https://weather.example/account') })
 */
export function secretOption(variable: string, does: string, expected: string): z.ZodDefault<z.ZodString> {
  return z
    .string()
    .trim()
    .default(() => process.env[variable]?.trim() ?? '')
    .refine(text => text !== '', { error: `expected ${expected}; set ${variable}` })
    .describe(`${does} Default: the environment’s \`${variable}\`.`)
    .meta({ environment: variable, asked: true })
}
