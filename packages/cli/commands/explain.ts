/** `kikimimi explain`: every option of every plugin and every rule of access, with its value and the source of the value. */

import { existsSync } from 'node:fs'
import type { BotConfig, Conversation } from 'kikimimi'
import type { Setting } from 'kikimimi/host'
import {
  ACCESS,
  checkConfig,
  type Plan,
  planOf,
  readSettings,
  reason,
  secretsOf,
  show,
  standingOf,
  UNSHOWN,
  warningsOf,
} from 'kikimimi/host'
import { toldOf } from '../config-source/tell.ts'
import { drawingOf } from '../explain/drawing.ts'
import { outputOf } from '../output.ts'
import type { CommonOptions } from '../program.ts'
import type { Session } from '../session.ts'

interface ExplainOptions extends CommonOptions {
  readonly person?: string | undefined
  readonly channel?: string | undefined
  readonly workspace?: string | undefined
  readonly thread?: string | undefined
}

/** A channel has the name or id that bot.config.ts uses for it. The database is opened only for a channel, to read the options set in the chat. */
export async function runExplain(
  { config: file, channel = '', workspace = '', thread, person, json }: ExplainOptions,
  session: Session,
): Promise<void> {
  const { config, project } = await session.readBot(file)
  const plan = await planOf(config, project)
  const name = channel.replace(/^#/, '')
  const conversation: Conversation = {
    id: '',
    platform: '',
    workspace,
    channel: name,
    name,
    visibility: 'public',
    ...(thread !== undefined && { thread }),
  }
  const set = name === '' ? [] : await settingsIn({ file, config, channel: name, workspace }, session)
  const { print } = outputOf(json, session.stdout)
  const { settings } = plan
  const secrets = secretsOf(process.env)
  if (!json && [channel, workspace, thread, person].every(one => !one)) {
    const running = await session.setUp(plan)
    for (const line of drawingOf(plan, standingOf(plan, running), secrets)) print(line)
    const told = await toldOf(file, warningsOf(plan, running))
    if (told.length > 0) print('\nWarnings:')
    for (const { where, message } of told) print(`  ${where}  ${message}`)
    print('\nOptions:')
  }
  // The rules of who may call are options of a built-in plugin.
  const access = { name: ACCESS, optionsFor: plan.access }
  for (const { name: plugin, optionsFor } of [...pluginsOf(plan), access]) {
    const own = set.filter(one => one.plugin === plugin)
    for (const { option, value, redacted, from } of optionsFor.explain(conversation, own, secrets)) {
      const shown = redacted ? UNSHOWN : show(value, '')
      if (json) print(JSON.stringify({ plugin, option, value: shown, from }))
      else print(`${`${plugin}.${option}`.padEnd(32)} ${shown.padEnd(28)} ${from}`)
    }
  }
  const share = settings.budget?.channel?.share
  if (share !== undefined) {
    const from = config.budget?.channel?.share === undefined ? 'default' : file
    if (json) print(JSON.stringify({ plugin: 'budget', option: 'channel.share', value: String(share), from }))
    else print(`${'budget.channel.share'.padEnd(32)} ${String(share).padEnd(28)} ${from}`)
  }
  if (person === undefined) return
  for (const { platform, calls, tokens } of await usedBy(person, file, session)) {
    if (json) print(JSON.stringify({ person, platform, calls, tokens }))
    else print(`${person} has used in this hour on ${platform}: ${calls} calls, ${tokens} tokens`)
  }
}

/** In the order in which stages ask them. */
function pluginsOf({ names, order }: Plan) {
  return names.flatMap(name => order.filter(plugin => plugin.name === name))
}

interface Used {
  readonly platform: string
  readonly calls: number
  readonly tokens: number
}

/** What counts for the quotas of a person. Empty: nothing was counted in this hour. */
async function usedBy(person: string, file: string, session: Session): Promise<readonly Used[]> {
  await using opened = await session.open(file)
  const { rows } = await opened.db.query<Used>(
    `select split_part(scope, '@', 1) as platform, calls::float8 as calls, tokens::float8 as tokens from kikimimi.spending
     where split_part(scope, '@', 2) = $1 and position('/' in scope) = 0 and period = 'hour' and start = date_trunc('hour', now(), 'UTC')
     order by 1`,
    [encodeURIComponent(person)],
  )
  return rows
}

interface Asked {
  readonly file: string
  readonly config: BotConfig
  readonly channel: string
  readonly workspace: string
}

/** Options set in the chat, in the one channel of this name or id. */
async function settingsIn({ file, config, channel, workspace }: Asked, session: Session): Promise<readonly Setting[]> {
  const { database } = checkConfig(config)
  const isThere = database !== false && database !== 'memory' && (/^postgres(ql)?:/.test(database) || existsSync(database))
  if (!isThere) return []
  const note = (text: string) => session.stderr.write(`${text}\n`)
  try {
    await using opened = await session.open(file)
    const { rows } = await opened.db.query<{ id: string }>(
      'select id from kikimimi_v1.conversation where name = $1 and thread is null',
      [channel],
    )
    const named = new Set(rows.map(({ id }) => id))
    const isMeant = ({ place }: Setting) => {
      const [, ofWorkspace, id] = place.split('/').map(decodeURIComponent)
      return (named.has(place) || id === channel) && (workspace === '' || ofWorkspace === workspace)
    }
    const found = Map.groupBy((await readSettings(opened.db)).filter(isMeant), ({ place }) => place)
    if (found.size > 1) note(`Several channels have the name ${channel}. Use the id of one: ${[...found.keys()].join(', ')}`)
    return found.size === 1 ? [...found.values()].flat() : []
  } catch (error) {
    note(`Options set in the chat are left out: ${reason(error)}`)
    return []
  }
}
