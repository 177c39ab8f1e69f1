import type { ChatCommand, PlatformHooks } from '../api/index.ts'
import { KikimimiError } from '../base/errors.ts'
import type { PluginHost } from '../kernel/host/plugin-host.ts'

/** Names of platforms, tools and chat commands are unique in a bot. */
export function checkHooks(plugin: string, hooks: PlatformHooks, others: PluginHost['hooks']): void {
  const { platform, tools = [], commands = [] } = hooks
  if (platform && others('platform').some(({ hook }) => hook.name === platform.name)) {
    const name = `"${platform.name}"`
    throw new KikimimiError('PLATFORM_DUPLICATE', `Two plugins provide the platform ${name}. Keep one of them in bot.config.ts.`)
  }
  const taken = others('tools').flatMap(({ hook }) => hook.map(({ name }) => name))
  const tool = tools.find(({ name }) => taken.includes(name))
  if (tool) {
    throw new KikimimiError(
      'TOOL_DUPLICATE',
      `[${plugin}] has a tool "${tool.name}", and so has another plugin. Rename one of them.`,
    )
  }
  for (const command of commands) checkCommand(plugin, command, others)
}

function checkCommand(plugin: string, { name, prefix, permission }: ChatCommand, others: PluginHost['hooks']): void {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    const problem = `has a chat command ${JSON.stringify(name)}: use lower-case words with hyphens, such as "forget-me".`
    throw new KikimimiError('PLUGIN_INVALID', `[${plugin}] ${problem}`)
  }
  if (prefix !== undefined && !/^[!?.,;:$%&+=~^-]{1,3}$/.test(prefix)) {
    const problem = `has a chat command "${name}" with the prefix ${JSON.stringify(prefix)}: use one to three signs, such as "!".`
    throw new KikimimiError('PLUGIN_INVALID', `[${plugin}] ${problem}`)
  }
  if (prefix !== undefined && permission !== 'everyone') {
    const problem = `has a chat command "${name}" with a prefix. A message does not tell the rights of its author: set permission to "everyone", or remove the prefix.`
    throw new KikimimiError('PLUGIN_INVALID', `[${plugin}] ${problem}`)
  }
  const other = others('commands').find(({ hook }) => hook.some(one => one.name === name))?.plugin
  if (other === undefined) return
  const problem = `has a chat command "${name}", and so has [${other}]. Give it another name.`
  throw new KikimimiError('COMMAND_DUPLICATE', `[${plugin}] ${problem}`)
}
