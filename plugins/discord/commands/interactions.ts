/** Author and place of a command, from the interaction itself, without further calls. */
import {
  ChannelType,
  type Client,
  type GatewayInteractionCreateDispatchData,
  InteractionContextType,
  PermissionFlagsBits,
  PermissionsBitField,
} from 'discord.js'
import type { Locale } from 'kikimimi'
import { knownLocale } from 'kikimimi/platform'
import { directPlace, type Place, placeOf } from '../messages/conversations.ts'
import { personOf } from '../messages/messages.ts'

const { ManageChannels, ManageGuild, Administrator } = PermissionFlagsBits
const ADMINISTER = [ManageGuild, Administrator]
const MODERATE = [ManageChannels, ...ADMINISTER]

/** Whether the author of a command may manage the channel or the server. In a direct message everybody may. */
export function moderates({ member }: Pick<GatewayInteractionCreateDispatchData, 'member'>): boolean {
  return !member || new PermissionsBitField(BigInt(member.permissions)).any(MODERATE)
}

/**
 * Whether a person may manage the server, by the roles that discord.js knows. Permissions of a single channel do not count.
 * In a direct message everybody may.
 */
export function administers(client: Client, { guild_id, author, member }: GivenBy): boolean {
  if (guild_id === undefined) return true
  const guild = client.guilds.cache.get(guild_id)
  const { id = author?.id } = member?.user ?? {}
  const roles = [guild_id, ...(member?.roles ?? [])].map(role => guild?.roles.cache.get(role))
  return (guild !== undefined && guild.ownerId === id) || roles.some(role => role?.permissions.any(ADMINISTER))
}

/** The author of a message or a command. */
interface GivenBy {
  readonly guild_id?: string
  readonly author?: { readonly id: string }
  readonly member?: { readonly user?: { readonly id: string }; readonly roles?: readonly string[] }
}

/** The language of the author's client. */
export function languageOf({ locale }: { readonly locale?: string }): { readonly locale?: Locale } {
  const known = knownLocale(locale)
  return known === undefined ? {} : { locale: known }
}

/** The place of a command. A channel that discord.js does not know counts as private, because its audience is unknown. */
export function placeOfInteraction(client: Client, told: GatewayInteractionCreateDispatchData): Place | undefined {
  const { channel, guild_id: workspace, member, user = member?.user } = told
  if (!channel || !user) return undefined
  const known = placeOf(client, channel.id)
  if (known) return known
  if (workspace === undefined) {
    // A conversation of other people, who read the answer.
    const isTheirs = told.context === InteractionContextType.PrivateChannel
    if (!isTheirs) return directPlace(channel.id, personOf(user).name)
    return { platform: 'discord', workspace: '', channel: channel.id, name: channel.name ?? channel.id, visibility: 'private' }
  }
  const here = { platform: 'discord', workspace, name: channel.name ?? channel.id, visibility: 'private' } as const
  const isThread = channel.type === ChannelType.PublicThread || channel.type === ChannelType.PrivateThread
  if (!isThread || !channel.parent_id) return { ...here, channel: channel.id }
  const readers = { own: channel.type === ChannelType.PrivateThread }
  return { ...here, channel: channel.parent_id, thread: channel.id, readers }
}
