/** Warnings about settings of the bot that have no effect, or that contradict each other. */
import type { Listen, PaceConfig } from '../../api/config.ts'
import type { ConfigPath } from '../../api/index.ts'
import { parseDuration } from '../../base/duration.ts'
import { texts } from '../../base/text/core-texts.ts'
import { pluginsOf } from '../../features/settings-file/check.ts'
import { partsOf } from '../../features/settings-file/define-bot.ts'
import { limitsMoney } from '../../models/budget.ts'
import { namesOf } from '../../models/models.ts'
import { at, type Rule } from './rule.ts'

/** The rules, by name. */
export const settingRules: Readonly<Record<string, Rule>> = {
  'hears-no-channel': ({ plan: { settings } }) => {
    const { channels, except = [], direct = true } = settings.listen
    const left = channels?.filter(name => !except.includes(name))
    if (!left || left.length > 0) return []
    const only = direct ? 'so it hears direct messages alone' : 'and no direct messages, so it hears nothing'
    return at(['listen', 'channels'], `listen leaves no channel to the bot, ${only}. Add a channel, or remove listen.channels.`)
  },

  // The times of people in Japan and Korea are nine hours ahead of UTC, which is the default of servers and containers.
  'time-zone': ({ plan: { settings } }) => {
    const zones: Readonly<Record<string, string>> = { ja: 'Asia/Tokyo', ko: 'Asia/Seoul' }
    const usual = zones[settings.locale]
    const isUtc = /^(?:Etc\/)?(?:UTC|UCT|Universal|Zulu|GMT)$/.test(new Intl.DateTimeFormat().resolvedOptions().timeZone)
    if (settings.timeZone !== undefined || usual === undefined || !isUtc) return []
    return at(['locale'], texts(settings.locale)('warning.utc', { zone: usual }))
  },

  'no-callers': ({ plan: { settings } }) => {
    const { call, workspaces, channels, threads } = settings.access
    const isOpenSomewhere = [workspaces, channels, threads].some(places =>
      Object.values(places ?? {}).some(one => one.call?.length),
    )
    if (call.length > 0 || isOpenSomewhere) return []
    return at(['access', 'call'], 'access.call is empty, so the bot answers no call. Name people, or remove it.')
  },

  'unheard-channel': ({ plan: { config, settings }, plugins }) => {
    const sections = (['pacing', 'models', 'access', 'persona'] as const).map(key => ({
      path: [key],
      channels: config[key]?.channels,
    }))
    const places = [...sections, ...plugins.map(({ path, given }) => ({ path, channels: given.overrides?.channels }))]
    return places.flatMap(({ path, channels = {} }) =>
      Object.keys(channels).flatMap(name => {
        const why = `The bot does not listen to the channel "${name}", so this has no effect.`
        return isHeard(name, settings.listen) ? [] : at([...path, 'channels', name], `${why} Change listen, or remove it.`)
      }),
    )
  },

  'unused-postgres': ({ plan: { config, settings } }) =>
    config.postgres && !/^postgres(ql)?:/.test(String(settings.database))
      ? at(
          ['postgres'],
          'postgres has no effect: the database is no Postgres server. Set database to postgres://…, or remove it.',
        )
      : [],

  'unused-price': ({ plan: { settings, models } }) => {
    const { budget } = settings
    if (!budget?.prices) return []
    if (!limitsMoney(budget))
      return at(['budget', 'prices'], 'budget.prices limits nothing: no limit is in money. Add one, such as day: { money: 2 }.')
    const known = namesOf(models)
    return Object.keys(budget.prices).flatMap(name => {
      const hint = `The bot has: ${known.join(', ')}`
      return known.includes(name)
        ? []
        : at(['budget', 'prices', name], `budget.prices has "${name}", which is not a model of the bot. ${hint}`)
    })
  },

  'small-budget': ({ plan: { settings } }) => {
    const { budget, contextTokens } = settings
    return (['hour', 'day'] as const).flatMap(period => {
      const tokens = budget?.[period]?.tokens
      if (tokens === undefined || tokens >= contextTokens) return []
      return at(
        ['budget', period, 'tokens'],
        `budget.${period} allows ${tokens} tokens, fewer than one prompt may have (contextTokens: ${contextTokens}). Raise it, or lower contextTokens.`,
      )
    })
  },

  'wait-cut': ({ plan: { config, settings } }) => {
    const told = (pace: PaceConfig | undefined, path: ConfigPath) => {
      const [least, most] = [
        pace?.minWait === 'auto' ? undefined : parseDuration(pace?.minWait ?? '4s'),
        parseDuration(pace?.maxWait),
      ]
      const longest = most ?? settings.pacing.maxWait
      if (pace?.minWait === undefined || least === undefined || least <= longest) return []
      return at(
        [...path, 'minWait'],
        `minWait is longer than maxWait (${longest / 1_000} s), which ends the wait. Raise maxWait, or lower minWait.`,
      )
    }
    const channels = Object.entries(config.pacing?.channels ?? {})
    return [...told(config.pacing, ['pacing']), ...channels.flatMap(([name, pace]) => told(pace, ['pacing', 'channels', name]))]
  },

  'short-retention': ({ plan: { settings } }) =>
    settings.retention.messages < settings.memory.ttl
      ? at(
          ['retention', 'messages'],
          'retention.messages is shorter than memory.ttl: working memory loses messages earlier. Raise it, or lower memory.ttl.',
        )
      : [],

  'unused-settings': ({ plan: { config } }) => {
    const parts = partsOf(config)
    const listed = parts ? pluginsOf(parts.config).map(({ definition }) => definition.name) : []
    const unused = Object.keys(parts?.file.plugins ?? {}).filter(name => !listed.includes(name))
    if (unused.length === 0) return []
    return at(['settings'], `bot.settings.json has values for ${unused.join(', ')}, which bot.config.ts does not list now.`)
  },
}

/** False: `listen` certainly leaves out a channel of this name. An id of a channel can belong to a name that is listed. */
function isHeard(name: string, { channels, except = [] }: Listen): boolean {
  const bare = (one: string) => one.replace(/^#/, '')
  const isIn = (list: readonly string[]) => list.some(one => bare(one) === bare(name))
  const isId = /^[A-Z0-9]{8,}$|^\d{15,}$/.test(name)
  return !isIn(except) && (isId || !channels || isIn(channels))
}
