/** Alerts of the running bot: by a webhook that the environment names, and in channels that bot.config.ts names. */
import type { Settings } from '../../api/config.ts'
import { Alerts, type CliCommand, definePlugin, type Plugin } from '../../api/index.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import { type AlertRounds, type AlertsOptions, createAlerts } from './alerts.ts'
import { createAlertRows } from './rows.ts'
import { findStates, type Readings } from './states.ts'
import { channelTarget, type Target, webhookTarget } from './targets.ts'
import { createWebhook } from './webhook.ts'

export interface AlertsFeature extends Omit<Readings, 'db' | 'budgetShare' | 'now'> {
  settings(): Settings
  readonly env: NodeJS.ProcessEnv
  readonly secrets: readonly string[]
  readonly unready: AlertsOptions['unready']
  /** False: this process only runs a command, and posts nothing on platforms. */
  readonly isRunning: boolean
}

/** Milliseconds from the start to the first look, and between two. */
const PAUSE = 30_000

/** `refresh` follows a changed bot.config.ts. */
export function alertsFeature(options: AlertsFeature): { readonly plugin: Plugin; refresh(): void } {
  const { settings, env, secrets, unready, isRunning } = options
  let rounds: Rounds | undefined
  const plugin = definePlugin({
    name: 'kikimimi-alerts',
    provides: [Alerts],
    cli: [testCommand],
    setup(ctx) {
      const { clock, db, log, scope } = ctx
      const address = env.ALERT_WEBHOOK_URL ?? ''
      const webhook = address === '' ? [] : [webhookTarget(createWebhook(address, env.ALERT_SECRET ?? '', clock))]
      const targets = (): readonly Target[] => [
        ...webhook,
        ...settings().alerts.channels.map(channel => (isRunning ? channelTarget(channel, ctx) : elsewhere(channel))),
      ]
      const stopping = new AbortController()
      const alerts = createAlerts({
        ...{ clock, log, unready, secrets, targets },
        rows: createAlertRows(db),
        find: () =>
          findStates({
            ...options,
            db,
            budgetShare: settings().alerts.budget,
            now: clock.now(),
          }),
        bot: () => ctx.bot.name,
        locale: () => ctx.bot.locale,
      })
      ctx.provide(Alerts, { test: () => alerts.test(stopping.signal) })
      if (isRunning && db.kind !== 'none')
        rounds = scope.use(createRounds(alerts, { clock, log, stopping, isWanted: () => targets().length > 0 }))
    },
  })()
  return { plugin, refresh: () => rounds?.refresh() }
}

const testCommand: CliCommand = {
  name: 'alert',
  usage: [{ call: 'alert --test', does: 'send a test to each target of alerts' }],
  async run(ctx, _args, out) {
    const told = (await ctx.use(Alerts, 'optional')?.test()) ?? []
    for (const one of told)
      out.print(
        out.json
          ? JSON.stringify(one)
          : `${one.problem === undefined ? 'ok' : '!!'} ${one.target}${one.problem === undefined ? '' : `: ${one.problem}`}`,
      )
    const remedy = 'Set ALERT_WEBHOOK_URL in .env, or alerts.channels in bot.config.ts.'
    if (told.length === 0) throw new KikimimiError('ALERT_FAILED', `Alerts go nowhere. ${remedy}`)
    if (told.some(({ problem }) => problem !== undefined)) throw new KikimimiError('ALERT_FAILED', 'Not every target was told.')
  },
}

function elsewhere(channel: string): Target {
  const problem = 'only the running bot posts in channels. Use the page Operations of its dashboard.'
  return {
    name: channel,
    reaches: () => false,
    tell: async () => {
      throw new KikimimiError('ALERT_FAILED', problem)
    },
  }
}

interface RoundsOptions extends Pick<AlertsOptions, 'clock' | 'log'> {
  readonly stopping: AbortController
  isWanted(): boolean
}

interface Rounds extends AsyncDisposable {
  /** Begins when alerts have a target. */
  refresh(): void
}

/** One round after the other while alerts have a target, until it is disposed. */
function createRounds(alerts: Pick<AlertRounds, 'round'>, { clock, log, stopping, isWanted }: RoundsOptions): Rounds {
  let running = Promise.resolve()
  let timer: unknown
  const next = () => {
    if (timer || stopping.signal.aborted || !isWanted()) return
    timer = clock.setTimeout(() => {
      running = alerts
        .round(stopping.signal)
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) log.warn(`could not look for alerts: ${reason(error)}`)
        })
        .finally(() => {
          timer = undefined
          next()
        })
    }, PAUSE)
  }
  next()
  return {
    refresh: next,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      if (timer) clock.clearTimeout(timer)
      await running
    },
  }
}
