/** Recognises messages in a thread that continue a conversation with the bot without a mention. */
import type { Stages } from 'kikimimi'
import type { PlatformContext } from 'kikimimi/platform'
import type { Account } from '../web-api/account.ts'
import type { Incoming } from './incoming.ts'

/** What is known of a workspace. */
interface Known {
  readonly account: Account
  readonly incoming: Pick<Incoming, 'rootAuthor'>
}

/** Number of last messages that show the participants. */
const LATEST = 200

/**
 * In a thread of one person and the bot, a message directly after the bot's message replies to it. So does every message in a
 * thread under a message of the bot. Slack itself has no replies to a single message.
 */
export function goesOn(
  { history }: Pick<PlatformContext, 'history'>,
  known: (workspace: string) => Known | undefined,
): Stages['address'] & {} {
  return async ({ conversation: { platform, workspace, channel, thread }, conversation, author }) => {
    if (platform !== 'slack' || thread === undefined) return
    const { incoming, account } = known(workspace) ?? {}
    const root = incoming?.rootAuthor(channel, thread)
    const isUnderOwn = root !== undefined && root === account?.me.id
    if (!isUnderOwn && root !== author.id) return
    const said = await history(conversation, LATEST)
    const isOfTwo = said.every(message => message.own || message.author.id === author.id)
    return isOfTwo && (isUnderOwn || said.at(-1)?.own) ? 'reply' : undefined
  }
}
