import { definePlugin, Operator } from 'kikimimi'
import { expect, test } from 'vitest'
import { mention, startOnSlack, until } from '../test-bot.ts'

test('a message has an address in its workspace, which is asked for once, also in a thread', async () => {
  const responder = definePlugin({
    name: 'links',
    needs: [Operator],
    setup: ctx => ({
      respond: async ({ conversation, message, signal }) => {
        const slack = ctx.use(Operator).platforms.find(({ name }) => name === 'slack')
        return { kind: 'text', text: `at ${await slack?.link?.(conversation, message.id, signal)}` }
      },
    }),
  })
  await using on = await startOnSlack({ responder: responder() })
  const { ts } = await on.slack.say(mention('where is this?'))
  const asked = () => on.slack.calls.filter(({ method }) => method === 'auth.test').length
  await until(() => on.texts().length === 1)
  const before = asked()
  const answer = await on.slack.say({ ...mention('and this?'), thread: ts })
  await until(() => on.texts().length === 2)
  const idOf = (time: string) => `p${time.replace('.', '')}`
  expect(on.texts()).toEqual([
    expect.stringMatching(new RegExp(`^at <?https?://[^/]+/archives/\\w+/${idOf(ts)}>?$`)),
    expect.stringContaining(`/${idOf(answer.ts)}?thread_ts=${ts}`),
  ])
  expect(asked()).toBe(before)
})
