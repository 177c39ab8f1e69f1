/** Names are cached for a limited time and in a limited number. */

import { startSlack } from '@kikimimi/slack/testing'
import { VirtualClock } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { fixedAccess } from '../web-api/access.ts'
import { clientOptions, createCalls, quietLogger } from '../web-api/calls.ts'
import { createNames } from './names.ts'

async function start() {
  const slack = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } })
  const clock = new VirtualClock()
  const options = clientOptions(
    slack.apiUrl,
    1_000,
    quietLogger(() => {}, []),
  )
  const calls = createCalls({ access: fixedAccess(slack.botToken), clientOptions: options, clock, random: () => 0.5, lost() {} })
  return {
    slack,
    names: createNames({ clock, calls, account: { personId: id => id }, signal: new AbortController().signal }),
    pass: (ms: number) => clock.advance(clock.now() + ms, { settle: async () => {} }),
    asked: (method: string) => slack.calls.filter(call => call.method === method).length,
    [Symbol.asyncDispose]: () => slack.close(),
  }
}

test('a name is requested again after an hour', async () => {
  await using on = await start()
  await on.slack.say({ author: 'alice', channel: 'general', text: 'hi', quietly: true })
  for (let time = 0; time < 3; time++) expect(await on.names.person('UALICE')).toEqual({ id: 'UALICE', name: 'alice' })
  for (let time = 0; time < 3; time++) expect(await on.names.place('CGENERAL')).toEqual({ name: 'general', visibility: 'public' })
  expect([on.asked('users.info'), on.asked('conversations.info')]).toEqual([1, 1])
  await on.pass(60 * 60_000)
  await on.names.person('UALICE')
  await on.names.place('CGENERAL')
  expect([on.asked('users.info'), on.asked('conversations.info')]).toEqual([2, 2])
})

test('2,000 channels are cached, the latest ones', async () => {
  await using on = await start()
  on.slack.channel('general')
  on.names.placeTold('CGENERAL', { name: 'general' })
  for (let index = 0; index < 1_999; index++) on.names.placeTold(`C${index}`, { name: `room-${index}` })
  await on.names.place('CGENERAL')
  expect(on.asked('conversations.info')).toBe(0)
  on.names.placeTold('C1999', { name: 'room-1999' })
  await on.names.place('CGENERAL')
  expect(on.asked('conversations.info')).toBe(1)
})
