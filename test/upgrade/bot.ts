/** A typical bot, with a persistent database and a clock that the test moves. */

import addressing from '@kikimimi/addressing'
import eavesdrop from '@kikimimi/eavesdrop'
import facts from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import memorySummary from '@kikimimi/memory-summary'
import { offline } from '@kikimimi/offline'
import proactive from '@kikimimi/proactive'
import profiles from '@kikimimi/profiles'
import quiet from '@kikimimi/quiet'
import reflection from '@kikimimi/reflection'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import { type Conversation, milliseconds, type StartOptions, startBot } from 'kikimimi'
import type { Duration } from 'kikimimi/host'
import { createLogger } from '../../core/base/log.ts'
import { seededRandom } from '../../core/base/random.ts'
import { movedClock } from '../../core/bot/clock/moved-clock.ts'
import { stepsOf } from '../../core/bot/clock/settled.ts'
import { testPlatform } from '../../core/testing/test-platform.ts'

export const plugins = [
  quiet(),
  remember(),
  proactive(),
  eavesdrop({ channels: ['general'] }),
  addressing(),
  judgeRules(),
  memorySummary(),
  profiles(),
  facts(),
  reflection(),
  reply(),
]

export interface Place {
  readonly channel?: string
  readonly thread?: string
  readonly visibility?: Conversation['visibility']
}

export async function botOn(db: NonNullable<StartOptions['db']>, at: Date) {
  const time = movedClock(at)
  const me = { id: 'bot', name: 'kiki' }
  const platform = testPlatform({ me })
  const warnings: string[] = []
  const bot = await startBot(
    { persona: { name: 'kiki' }, models: { chat: offline() }, plugins },
    {
      clock: time.clock,
      jobClock: time.jobClock,
      random: seededRandom(1),
      log: createLogger({ level: 'warn', format: 'lines', write: line => void warnings.push(line), clock: time.clock }),
      db,
      supervise: false,
      platforms: [platform],
      env: {},
    },
  )
  const steps = stepsOf(time, db, () => bot.jobs)
  const { settle } = steps
  await settle()
  const place = ({ channel = 'general', visibility = 'public', ...thread }: Place) => ({
    platform: 'test',
    workspace: 'team',
    channel,
    name: channel,
    visibility,
    ...thread,
  })
  let count = 0

  return {
    bot,
    /** Resolves with the messages of the bot since the call. */
    async say(author: string, text: string, where: Place = {}): Promise<readonly string[]> {
      const before = platform.posted.length
      await bot.receive(platform, {
        id: `${time.clock.now()}-${++count}`,
        conversation: place(where),
        author: { id: author.toLowerCase(), name: author },
        text,
        at: new Date(time.clock.now()),
        mentions: text.includes('@kiki') ? [me] : [],
      })
      await settle()
      return platform.posted.slice(before).map(one => (one.kind === 'text' ? one.text : one.emoji))
    },
    async pass(duration: Duration): Promise<void> {
      await time.clock.advance(time.clock.now() + milliseconds(duration), steps)
    },
    posted: platform.posted,
    warnings,
    [Symbol.asyncDispose]: () => bot.stop(),
  }
}
