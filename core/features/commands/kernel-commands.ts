/** The kernel's own commands in the chat. */

import { commandName } from '../../api/persona.ts'
import type { Kernel } from '../../kernel/host/plugin-context.ts'
import { stopCommands } from '../stop/chat-commands.ts'
import type { NamedCommand } from './commands.ts'
import { helpCommand } from './help.ts'
import { type StatusOptions, statusCommand } from './status.ts'
import { whyCommand } from './why.ts'

export function kernelCommands(
  kernel: Kernel,
  own: Pick<StatusOptions, 'listen' | 'halt' | 'budget' | 'models'>,
): NamedCommand[] {
  const name = () => commandName(kernel.persona)
  const commands = [
    helpCommand(kernel.chatCommands, name),
    statusCommand({ ...own, kernel, name }),
    whyCommand(kernel.store),
    ...stopCommands(own.halt, name),
  ]
  return commands.map(command => ({ ...command, plugin: 'kikimimi' }))
}
