/** The menus of messages, and the buttons under answers: which command people mean, and for which message. */
import {
  type APIMessageApplicationCommandInteraction,
  ApplicationCommandType,
  type GatewayInteractionCreateDispatchData,
  InteractionContextType,
  InteractionType,
  type RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from 'discord.js'
import type { ChatCommand } from 'kikimimi'
import { commandOf } from '../messages/buttons.ts'
import { localised } from './tree.ts'

/** Discord shows this many entries of one application. */
const MENUS = 5

/** A command, and the id of the message that it is for. */
interface Meant {
  readonly command: string
  readonly message: string
}

/** The definitions of the menu entries. https://docs.discord.com/developers/interactions/application-commands#message-commands */
export function menusOf(commands: readonly ChatCommand[]): RESTPostAPIContextMenuApplicationCommandsJSONBody[] {
  return commands
    .flatMap(({ on }) => (on?.at === 'message' ? [on.label] : []))
    .slice(0, MENUS)
    .map(label => ({
      type: ApplicationCommandType.Message,
      name: label.en,
      name_localizations: localised(label),
      contexts: [InteractionContextType.Guild, InteractionContextType.BotDM],
    }))
}

export function isMenu(told: GatewayInteractionCreateDispatchData): told is APIMessageApplicationCommandInteraction {
  return told.type === InteractionType.ApplicationCommand && told.data.type === ApplicationCommandType.Message
}

/** Nothing for an entry of another program with the same application. */
export function usedMenu({ data }: APIMessageApplicationCommandInteraction, commands: readonly ChatCommand[]): Meant | undefined {
  const command = commands.find(({ on }) => on?.at === 'message' && on.label.en === data.name)
  return command && { command: command.name, message: data.target_id }
}

/** Nothing for a button of another program, or of a message that the bot has not written. */
export function pressedButton(told: GatewayInteractionCreateDispatchData, me: string | undefined): Meant | undefined {
  if (told.type !== InteractionType.MessageComponent || told.message.author.id !== me) return undefined
  const command = commandOf(told.data.custom_id)
  return command === undefined ? undefined : { command, message: told.message.id }
}
