/** `kikimimi explain`: every option of every plugin, and where its value comes from. */
import { loadPlugins } from '../assemble.ts'
import { loadConfig } from '../config.ts'
import { show } from '../option-errors.ts'
import type { Conversation } from '../plugin.ts'
import type { Values } from './args.ts'
import { outputOf } from './plugin-command.ts'

/** Nothing is opened for it: a channel is known by the name or id that bot.config.ts gives it. */
export async function runExplain({ config: file, channel = '', workspace = '', thread, json }: Values): Promise<void> {
  const { config } = await loadConfig(file)
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
  const { print } = outputOf(json)
  for (const { name: plugin, optionsIn } of await loadPlugins(config.plugins)) {
    for (const [option, { value, from }] of optionsIn.explain(conversation)) {
      const shown = show(value, option)
      if (json) print(JSON.stringify({ plugin, option, value: shown, from }))
      else print(`${`${plugin}.${option}`.padEnd(32)} ${shown.padEnd(28)} ${from}`)
    }
  }
}
