/** `kikimimi alert --test`. */
import { outputOf } from '../output.ts'
import type { CommonOptions } from '../program.ts'
import type { Session } from '../session.ts'

/** Tests the alerts. The running bot tests its channels too, if it has the data folder. */
export async function runAlert({ config, json }: CommonOptions, session: Session): Promise<void> {
  await using opened = await session.open(config)
  await using bot = await session.startBot(config, opened)
  await bot.command('alert', ['--test'], outputOf(json, session.stdout))
}
