/** bot.settings.json of a running bot: what it may hold, and changes that are checked and applied before they are written. */
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { refuse } from '../../api/checks/config-error.ts'
import type { BotConfig } from '../../api/config.ts'
import {
  type AppliedChange,
  BotSettings,
  definePlugin,
  type Plugin,
  type SettableOption,
  type SettablePrompt,
  type SettingsChange,
} from '../../api/index.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import { unusedOptions } from '../options/unused.ts'
import type { Plan } from '../reload/reload.ts'
import { parseSettings } from './check.ts'
import { type ConfigParts, partsOf, settingsMistakes, withSettings } from './define-bot.ts'
import { type ReadSettings, readSettings, whyReadOnly, writeSettings } from './file.ts'
import { SETTINGS_FILE, type SettingsFile } from './schema.ts'
import { changed, valueAt } from './values.ts'
import { listedPlugins, optionsIn, optionsInPlace, settingsIn } from './view.ts'

export interface BotSettingsOptions {
  /** The running bot.config.ts. */
  plan(): Plan
  /** Applies a config, or throws and leaves the bot as it was. */
  reload(config: BotConfig): Promise<unknown>
  /** Values that are never shown. */
  readonly secrets: readonly string[]
}

/** Places that are found at once. */
const PLACES = 50

const KINDS = ['workspaces', 'channels', 'threads'] as const

const NOT_IMPORTED = `bot.config.ts does not use ${SETTINGS_FILE}, so nothing can be set here. Create ${SETTINGS_FILE} with the content {} beside it, add import settings from './${SETTINGS_FILE}' with { type: 'json' } and give settings to defineBot({ settings, … }).`

export function createBotSettings({ plan, reload, secrets }: BotSettingsOptions): BotSettings {
  /** Changes are made one after the other. */
  let last: Promise<unknown> = Promise.resolve()

  const place = () => {
    const { config, project } = plan()
    const parts = partsOf(config)
    return { file: project && fileURLToPath(new URL(SETTINGS_FILE, project)), config, parts }
  }

  /** The parts as the file is now: it may be newer than what runs. */
  async function current(): Promise<{ parts: ConfigParts; read?: ReadSettings; problem?: string }> {
    const { file, config, parts = { config, file: {} } } = place()
    if (file === undefined || !partsOf(config)) return { parts, problem: NOT_IMPORTED }
    try {
      const read = await readSettings(file)
      return { parts: { ...parts, file: read.settings }, read }
    } catch (error) {
      return { parts, problem: reason(error) }
    }
  }

  function promptsOf(name: string): SettablePrompt[] {
    const running = plan().order.find(plugin => plugin.name === name)
    return [...(running?.prompts.all.values() ?? [])].map(prompt => ({
      name: prompt.name,
      locale: prompt.locale,
      text: prompt.text,
      fromFile: running?.given.prompts?.[prompt.name]?.[prompt.locale] !== undefined,
    }))
  }

  /** The reasons hold for the values that run: the file can be newer. */
  function withUnused(name: string, options: readonly SettableOption[]): readonly SettableOption[] {
    const { order, config } = plan()
    const running = order.find(plugin => plugin.name === name)
    if (!running) return options
    const whyUnused = unusedOptions(running, { plugins: order, models: config.models, persona: config.persona }, running.options)
    return options.map(option => {
      const unused = whyUnused(option.path.at(-1) ?? '')
      return unused === undefined ? option : { ...option, unused }
    })
  }

  async function change(version: string, changes: readonly SettingsChange[]): Promise<readonly AppliedChange[]> {
    const { file, config: before, parts } = place()
    if (file === undefined || !parts) throw new KikimimiError('SETTINGS_READ_ONLY', NOT_IMPORTED)
    const read = await readSettings(file)
    const isAsExpected = ({ path, was }: SettingsChange) => !was || isDeepStrictEqual(valueAt(read.settings, path), was.value)
    if (read.version !== version || !changes.every(isAsExpected)) throw otherContent(file)
    // No JSON object can be relied on to keep it.
    if (changes.some(({ path }) => path.includes('__proto__'))) {
      throw new KikimimiError('CONFIG_INVALID', `${SETTINGS_FILE} cannot have the key "__proto__". Choose another name.`)
    }
    const { settings, mistakes } = parseSettings(changed(read.settings, changes))
    refuse(mistakes)
    const next = withSettings(parts.config, settings)
    refuse(settingsMistakes(next))
    const readOnly = await whyReadOnly(file)
    if (readOnly !== undefined) throw new KikimimiError('SETTINGS_READ_ONLY', readOnly)
    await reload(next)
    try {
      // Somebody may have saved it with an editor meanwhile.
      if ((await readSettings(file)).version !== version) throw otherContent(file)
      await writeSettings(file, settings)
    } catch (error) {
      await reload(before)
      throw error
    }
    return changes.map(({ path }) => appliedAt(path, read.settings, settings))
  }

  return {
    async state() {
      const { file = SETTINGS_FILE } = place()
      const { parts, read, problem = await whyReadOnly(file) } = await current()
      const listed = listedPlugins(parts)
      const inFile = parts.file.plugins ?? {}
      return {
        file,
        ...(read && { version: read.version }),
        ...(problem !== undefined && { problem }),
        settings: settingsIn(parts),
        plugins: listed.map(plugin => ({
          name: nameOf(plugin),
          enabled: valueAt(inFile, [nameOf(plugin), 'enabled']) !== false,
          options: withUnused(nameOf(plugin), optionsIn(plugin, parts, secrets)),
          prompts: promptsOf(nameOf(plugin)),
        })),
        unused: Object.keys(inFile).filter(name => !listed.some(plugin => nameOf(plugin) === name)),
      }
    },

    async inPlace(kind, name) {
      const { parts } = await current()
      return listedPlugins(parts).flatMap(plugin => optionsInPlace(plugin, parts, { kind, place: name, secrets }))
    },

    async places(text) {
      const { parts } = await current()
      const all = placesIn(parts.file)
      const sought = text.toLowerCase()
      return { found: all.filter(({ name }) => name.toLowerCase().includes(sought)).slice(0, PLACES), all: all.length }
    },

    change(version, changes) {
      const next = last.then(() => change(version, changes))
      last = next.catch(() => {})
      return next
    },
  }
}

export function settingsFileFeature(settings: BotSettings): Plugin {
  return definePlugin({
    name: 'kikimimi-settings-file',
    provides: [BotSettings],
    setup: ctx => ctx.provide(BotSettings, settings),
  })()
}

function placesIn({ plugins = {} }: SettingsFile) {
  const all = KINDS.flatMap(kind => {
    const names = new Set(Object.values(plugins).flatMap(plugin => Object.keys(plugin[kind] ?? {})))
    return [...names].map(name => ({ kind, name }))
  })
  return all.toSorted((one, other) => one.name.localeCompare(other.name))
}

function appliedAt(path: readonly string[], from: SettingsFile, to: SettingsFile): AppliedChange {
  const [before, after] = [valueAt(from, path), valueAt(to, path)]
  return { path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
}

function otherContent(file: string): KikimimiError {
  return new KikimimiError(
    'SETTINGS_CHANGED',
    `${file} has changed since you read it: another person or an editor saved it. Nothing was overwritten. Look at the present values, and save again if you still want to.`,
  )
}

function nameOf({ definition }: Plugin): string {
  return definition.name
}
