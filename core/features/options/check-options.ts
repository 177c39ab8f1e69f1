/** Checks the options of a plugin in bot.config.ts, the general ones and those for single places. */

import { type OptionMistake, optionMistakes, renaming } from '../../api/checks/option-errors.ts'
import { namesAt, renamedOptions } from '../../api/checks/option-names.ts'
import { settings } from '../../api/config.ts'
import type { Plugin } from '../../api/index.ts'
import { reason } from '../../base/errors.ts'
import type { LoadedPlugin } from '../../kernel/host/plugin-context.ts'
import { mistakesIn, optionsFor } from './overrides.ts'

/** Returns the plugin with its options, or all mistakes in them. Their paths begin with `options` or a kind of place. */
export async function checkOptions(plugin: Plugin): Promise<LoadedPlugin | readonly OptionMistake[]> {
  const { definition, options: given, overrides = {}, ...file } = plugin
  const { name, options: schema } = definition
  let options: unknown
  const mistakes: OptionMistake[] = []
  const wrong = ({ path, message }: OptionMistake) => mistakes.push({ path: ['options', ...path], message })
  try {
    let checked = await schema?.['~standard'].validate(given)
    // Without options, the mistakes name each option that is missing, and not a missing object.
    if (checked?.issues && given === undefined) checked = await schema?.['~standard'].validate({})
    if (!schema && given !== undefined) {
      const what = file.fromSettingsFile ? 'them from bot.settings.json' : 'what stands between its brackets in bot.config.ts'
      wrong({ path: [], message: `takes no options. Remove ${what}.` })
    }
    if (checked?.issues) optionMistakes(checked.issues, given, schema, namesAt(settings, [])).forEach(wrong)
    else options = checked?.value
    for (const [former, present] of renamedOptions(schema)) {
      // A schema that is not strict says nothing about the names that it ignores.
      const isTold = mistakes.some(({ path }) => path.length === 2 && path[1] === former)
      if (Object.hasOwn(Object(given), former) && !isTold) wrong({ path: [former], message: renaming(former, present) })
    }
    mistakes.push(...(await mistakesIn({ definition, given, overrides }, mistakes.length === 0)))
  } catch (error) {
    wrong({ path: [], message: `could not check its options: ${reason(error)}` })
  }
  if (mistakes.length > 0) return mistakes.map(one => ({ ...one, message: `[${name}] ${one.message}` }))
  return {
    name,
    definition,
    given: { options: given, overrides, ...file },
    options,
    optionsFor: optionsFor({ definition, given, options, overrides, inFile: file.fromSettingsFile ?? [] }),
  }
}
