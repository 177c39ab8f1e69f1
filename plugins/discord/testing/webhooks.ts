/** Webhooks of channels. https://discord.com/developers/docs/resources/webhook */
import {
  type APIMessage,
  type APIWebhook,
  ChannelType,
  GatewayDispatchEvents,
  type RESTPostAPIWebhookWithTokenJSONBody,
  WebhookType,
} from 'discord-api-types/v10'
import { callsEveryone, checkText, ok, Refusal, type Request, type Route } from './answers.ts'
import { checkComponents } from './components.ts'
import { channelData, inGuild, isThread } from './data.ts'
import { demand } from './permissions.ts'
import type { Channel, Webhook, World } from './world.ts'

export interface WebhookRoutesOptions {
  readonly world: World
  dispatch(event: GatewayDispatchEvents, data: unknown, guild: string | undefined): void
  announce(channel: Channel, message: APIMessage): void
  channelOf(request: Request): Channel
}

/** Webhooks of one channel. */
const MOST = 15

export function webhookRoutes({ world, dispatch, announce, channelOf }: WebhookRoutesOptions): [string, Route][] {
  function placeOf(request: Request): Channel {
    const channel = channelOf(request)
    if (channel.guild === undefined || isThread(channel)) {
      throw new Refusal(400, 50024, 'Cannot execute action on this channel type')
    }
    demand(world, channel, 'ManageWebhooks')
    return channel
  }

  const ownOf = ({ id }: Channel) => [...world.webhooks.values()].filter(({ channel }) => channel === id)

  /** Discord shows the token only to the application that made the webhook. */
  const data = ({ id, token, name, channel, by }: Webhook): APIWebhook => ({
    ...{ id, name, channel_id: channel, avatar: null, type: WebhookType.Incoming },
    ...{ guild_id: world.channel(channel).guild ?? '', application_id: by.id },
    user: by,
    ...(by.id === world.bot.id && { token }),
  })

  function hookOf({ params: { hook = '', token } }: Request): Webhook {
    const found = world.webhooks.get(hook)
    if (!found || !world.channels.has(found.channel)) throw new Refusal(404, 10015, 'Unknown Webhook')
    if (found.token !== token) throw new Refusal(401, 50027, 'Invalid Webhook Token')
    return found
  }

  /** The channel of the webhook, or a thread in it. */
  function targetOf(request: Request, { channel }: Webhook): Channel {
    const thread = request.query.get('thread_id')
    const found = world.channels.get(thread ?? channel)
    if (!found || (thread !== null && found.parent !== channel)) throw new Refusal(404, 10003, 'Unknown Channel')
    if (found.type === ChannelType.GuildForum) {
      throw new Refusal(400, 220001, 'Webhooks posted to forum channels must have a thread_name or thread_id')
    }
    return found
  }

  function messageOf(request: Request): { readonly channel: Channel; readonly message: APIMessage } {
    const hook = hookOf(request)
    const channel = targetOf(request, hook)
    const message = channel.messages.get(request.params.message ?? '')
    if (message?.webhook_id !== hook.id) throw new Refusal(404, 10008, 'Unknown Message')
    return { channel, message }
  }

  function execute(request: Request) {
    const hook = hookOf(request)
    const channel = targetOf(request, hook)
    const body = request.body as RESTPostAPIWebhookWithTokenJSONBody
    const { content = '', username = hook.name, avatar_url: picture, allowed_mentions: allowed, components } = body
    checkText(content)
    checkComponents((components ?? []) as never)
    checkName(username)
    if (channel.archived) {
      channel.archived = false
      dispatch(GatewayDispatchEvents.ThreadUpdate, channelData(channel, world), channel.guild)
    }
    // A webhook cannot reply, and it takes no nonce.
    const author = { id: hook.id, username, discriminator: '0000', global_name: null, avatar: picture ?? null, bot: true }
    const message = world.write(channel, author, content, {
      mentionEveryone: callsEveryone(content, allowed),
      more: { webhook_id: hook.id, application_id: hook.by.id, ...(components && { components: components as never }) },
    })
    announce(channel, message)
    return request.query.get('wait') === 'true' ? ok(message) : { status: 204 }
  }

  return [
    ['GET /channels/:channel/webhooks', request => ok(ownOf(placeOf(request)).map(data))],
    [
      'POST /channels/:channel/webhooks',
      request => {
        const channel = placeOf(request)
        const { name } = request.body as { readonly name: string }
        checkName(name)
        if (ownOf(channel).length >= MOST) throw new Refusal(400, 30007, `Maximum number of webhooks reached (${MOST})`)
        const id = world.snowflake()
        const hook = { id, name, token: `webhook-${world.snowflake()}`, channel: channel.id, by: world.bot }
        world.webhooks.set(id, hook)
        return ok(data(hook))
      },
    ],
    ['POST /webhooks/:hook/:token', execute],
    ['GET /webhooks/:hook/:token/messages/:message', request => ok(messageOf(request).message)],
    [
      'PATCH /webhooks/:hook/:token/messages/:message',
      request => {
        const { channel, message } = messageOf(request)
        const { content = '', components } = request.body as Pick<APIMessage, 'components'> & { readonly content?: string }
        checkText(content)
        checkComponents(components ?? [])
        Object.assign(message, { content, ...(components && { components }), edited_timestamp: new Date().toISOString() })
        dispatch(GatewayDispatchEvents.MessageUpdate, { ...message, ...inGuild(channel) }, channel.guild)
        return ok(message)
      },
    ],
    [
      'DELETE /webhooks/:hook/:token/messages/:message',
      request => {
        const { channel, message } = messageOf(request)
        channel.messages.delete(message.id)
        dispatch(
          GatewayDispatchEvents.MessageDelete,
          { id: message.id, channel_id: channel.id, ...inGuild(channel) },
          channel.guild,
        )
        return { status: 204 }
      },
    ],
  ]
}

/** Names of webhooks and of their messages. */
function checkName(name: string): void {
  const isForbidden = name.length < 1 || name.length > 80 || /clyde|discord/i.test(name)
  if (!isForbidden) return
  const refusal = new Refusal(400, 50035, 'Invalid Form Body')
  const told = { code: 'USERNAME_INVALID_CONTAINS', message: 'Username cannot contain "discord"' }
  Object.assign(refusal.answer.body as object, { errors: { username: { _errors: [told] } } })
  throw refusal
}
