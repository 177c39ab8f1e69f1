/** Options that have no effect because of other options. */
import type { Options } from './options.ts'

const HOUR = 60 * 60_000

export function unused(options: Options): Readonly<Record<string, string>> {
  const { channels, signs, minInterval, maxPerHour, wait } = options
  if (channels.length === 0) {
    const others = Object.keys(options).filter(name => name !== 'channels')
    return Object.fromEntries(others.map(name => [name, 'channels is empty, so the plugin is active nowhere']))
  }
  const [, mostMessages] = wait.messages
  const [, longest] = wait.time
  return {
    ...(!signs && { every: 'without signs the model is asked whenever people have written' }),
    ...(maxPerHour * minInterval > HOUR && { maxPerHour: 'minInterval allows fewer in an hour' }),
    ...(mostMessages === 0 && { 'wait.time': 'wait.messages waits for no message' }),
    ...(mostMessages > 0 && longest === 0 && { 'wait.messages': 'wait.time is 0' }),
  }
}
