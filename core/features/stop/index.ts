/** STOP and START as chat commands. The guard itself is passed to turns and delivery. */
import { definePlugin, type Plugin } from '../../api/index.ts'
import { commandName } from '../../prompt/persona.ts'
import { stopCommands } from './chat-commands.ts'
import type { EmergencyStop } from './emergency-stop.ts'

export function stopFeature(stop: EmergencyStop): Plugin {
  return definePlugin({
    name: 'kikimimi-stop',
    setup: ctx => ({ commands: stopCommands(stop, () => commandName(ctx.bot)) }),
  })()
}
