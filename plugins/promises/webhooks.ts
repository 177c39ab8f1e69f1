/** Webhooks: a signed request makes the bot speak in a channel. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Channels, type Conversation, KikimimiError, type PluginContext, type PluginHooks } from 'kikimimi'
import { z } from 'zod'
import type { createCompose } from './compose.ts'
import type { Webhook } from './options.ts'

/** Bytes of a request. */
const LARGEST = 16_384
/** A request is valid this long before and after its time. */
const VALID = 5 * 60_000
/** Requests of one webhook within a minute. */
const MOST = 30
const MINUTE = 60_000

const body = z.object({ text: z.string().trim().min(1).max(2_000) })

export interface WebhooksDeps {
  readonly ctx: Pick<PluginContext, 'clock' | 'db' | 'log' | 'send'>
  readonly webhooks: Readonly<Record<string, Webhook>>
  readonly channels: Channels
  readonly compose: ReturnType<typeof createCompose>
}

type Server = Parameters<NonNullable<PluginHooks['routes']>>[0]
type Headers = Readonly<Record<string, unknown>>

class Repeated extends Error {}

/** Adds `POST /promises/NAME`. */
export function addWebhooks(server: Server, { ctx, webhooks, channels, compose }: WebhooksDeps): void {
  const { clock, db } = ctx
  const calls = new Map<string, number[]>()

  /** Whether the webhook has been called too often. */
  function isFlooded(name: string): boolean {
    const now = clock.now()
    const recent = (calls.get(name) ?? []).filter(at => now - at < MINUTE)
    calls.set(name, [...recent, now].slice(-MOST - 1))
    return recent.length >= MOST
  }

  async function receive(name: string, hook: Webhook, text: string, signature: string): Promise<readonly string[]> {
    const { platform, channel, writes } = hook
    const place: Conversation = await channels.find(channel, platform === undefined ? {} : { platform })
    const written = writes ? await compose(place, { prompt: 'event', name, content: text }) : undefined
    const at = new Date(clock.now())
    return ctx.send(
      place,
      { kind: 'text', text: written?.text ?? text },
      {
        sources: written?.sources ?? 'none',
        until: new Date(at.getTime() + VALID),
        async also() {
          await db.query('delete from promises.hook_call where at < $1', [new Date(at.getTime() - 3 * VALID)])
          const { rowCount } = await db.query(
            'insert into promises.hook_call (hook, signature, at) values ($1, $2, $3) on conflict do nothing',
            [name, signature, at],
          )
          if (rowCount === 0) throw new Repeated()
        },
      },
    )
  }

  // The signature is of the bytes.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))

  server.post('/promises/:name', { config: { public: true }, bodyLimit: LARGEST }, async (request, reply) => {
    const { name } = request.params as { readonly name: string }
    const hook = Object.hasOwn(webhooks, name) ? webhooks[name] : undefined
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const signature = hook && signatureOf(request.headers, hook, bytes, clock.now())
    if (!hook || signature === undefined)
      return refuse(reply, 401, 'The signature or its time is wrong, or there is no such webhook.')
    if (isFlooded(name)) return refuse(reply, 429, `Send ${MOST} requests a minute or fewer.`)
    const given = body.safeParse(parsed(bytes))
    if (!given.success) return refuse(reply, 400, 'Send {"text": "…"} with 1 to 2,000 characters.')
    try {
      return { posted: (await receive(name, hook, given.data.text, signature)).length > 0 }
    } catch (error) {
      if (error instanceof Repeated) return { posted: false }
      if (!(error instanceof KikimimiError)) throw error
      ctx.log.warn(`the webhook "${name}" could not speak: ${error.message}`)
      return refuse(reply, 503, 'The bot cannot speak there now. Its log says why.')
    }
  })
}

/** The signature, if it is right and its time is now. As in requests that the bot sends: HMAC-SHA256 of the time, a dot and the body. */
function signatureOf(headers: Headers, { secret }: Webhook, bytes: Buffer, now: number): string | undefined {
  const { 'kikimimi-timestamp': timestamp, 'kikimimi-signature': given } = headers
  if (typeof timestamp !== 'string' || typeof given !== 'string' || !/^\d{1,12}$/.test(timestamp)) return undefined
  if (Math.abs(now - Number(timestamp) * 1_000) > VALID) return undefined
  const right = `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(bytes).digest('hex')}`
  const [a, b] = [Buffer.from(right), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b) ? right : undefined
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

interface Answer {
  code(status: number): { send(body: unknown): unknown }
}

function refuse(reply: Answer, status: number, error: string): unknown {
  return reply.code(status).send({ error })
}
