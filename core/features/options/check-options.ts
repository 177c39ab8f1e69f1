/** Checks the options of a plugin in bot.config.ts, the general ones and those for single places. */

import type { Plugin } from '../../api/index.ts'
import { invalidOptions } from '../../api/option-errors.ts'
import { reason } from '../../base/errors.ts'
import type { LoadedPlugin } from '../../kernel/host/load-plugins.ts'
import { readSchema } from './option-schema.ts'
import { mistakesIn, optionsFor } from './overrides.ts'

/** Returns the plugin with its options, or all mistakes as one text. */
export async function checkOptions({ definition, options, overrides = {}, ...file }: Plugin): Promise<LoadedPlugin | string> {
  const { name, options: schema } = definition
  const loaded = (checked: unknown): LoadedPlugin => ({
    name,
    definition,
    given: { options, overrides, ...file },
    options: checked,
    optionsFor: optionsFor({ definition, given: options, options: checked, overrides, inFile: file.fromSettingsFile ?? [] }),
  })
  if (!schema) {
    if (options === undefined) return (await mistakesIn({ definition, given: options, overrides })) ?? loaded(undefined)
    return `[${name}] takes no options. Remove what stands between its brackets in bot.config.ts.`
  }
  try {
    const checked = await schema['~standard'].validate(options)
    if (checked.issues) {
      const { words } = readSchema(schema)
      return invalidOptions(`[${name}] invalid options in bot.config.ts:`, checked.issues, options, words)
    }
    return (await mistakesIn({ definition, given: options, overrides })) ?? loaded(checked.value)
  } catch (error) {
    return `[${name}] could not check its options: ${reason(error)}`
  }
}
