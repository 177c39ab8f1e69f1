/** The part of irc-framework that this package uses; it has no types of its own. */
declare module 'irc-framework' {
  export interface Said {
    readonly nick?: string
    readonly target: string
    /** Such as `@`: only those with this rank in the channel see it. */
    readonly group?: string
    readonly message: string
    /** When the server, or a bouncer, has received it, in milliseconds. */
    readonly time?: number
    readonly tags?: { readonly msgid?: string }
    /** The lines that it came with, such as `chathistory` and `znc.in/playback`. */
    readonly batch?: { readonly type: string }
  }
  interface Events {
    registered: { readonly nick: string }
    close: boolean
    'socket close': Error | undefined
    privmsg: Said
    action: Said
    'ctcp request': { readonly nick?: string; readonly type: string; readonly message: string }
    pong: { readonly message: string }
    join: { readonly nick: string; readonly channel: string }
    part: { readonly nick: string; readonly channel: string }
    kick: { readonly kicked: string; readonly channel: string; readonly message: string }
    nick: { readonly nick: string; readonly new_nick: string }
    quit: { readonly nick: string }
    topic: { readonly channel: string; readonly topic: string }
    mode: { readonly target: string }
    'channel info': { readonly channel: string; readonly raw_modes?: string }
    'nick in use': { readonly nick: string }
    'nick invalid': { readonly nick: string; readonly reason: string }
    'irc error': { readonly error: string; readonly channel?: string; readonly nick?: string; readonly reason?: string }
  }
  interface Channel {
    readonly users: readonly { readonly nick: string; readonly modes?: readonly string[] }[]
  }
  export class Client {
    readonly connected: boolean
    readonly user: { readonly nick: string }
    readonly network: { readonly name: string; isChannelName(name: string): boolean }
    connect(options: Readonly<Record<string, unknown>>): void
    /** Follows the members of a channel, and joins it if the client is connected. */
    channel(name: string): Channel
    join(channel: string): void
    part(channel: string): void
    changeNick(nick: string): void
    raw(...line: string[]): void
    ctcpResponse(target: string, type: string, text: string): void
    quit(message: string): void
    caseLower(name: string): string
    on<E extends keyof Events>(event: E, run: (told: Events[E]) => void): this
    once<E extends keyof Events>(event: E, run: (told: Events[E]) => void): this
    off<E extends keyof Events>(event: E, run: (told: Events[E]) => void): this
  }
}
