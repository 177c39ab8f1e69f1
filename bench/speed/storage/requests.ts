/** All that the dashboard reads, with its parameters. */
import { setTimeout as pause } from 'node:timers/promises'
import { progress } from '../../base/measure.ts'
import { PERSON } from './fill.ts'

/** A stream has no end or a long one, the pages of accounts need a password, and panels belong to other plugins. */
const LEFT_OUT = ['/api/events', '/api/turns/export', '/api/access', '/api/access/changes', '/api/panels/{id}']

/** The addresses by their routes: a route that is missing here fails the measurement. */
function addresses(channel: string): Readonly<Record<string, readonly string[]>> {
  const at = `conversation=${encodeURIComponent(channel)}`
  const who = `platform=bench&id=${PERSON}`
  return {
    '/api/session': ['session'],
    '/api/bot': ['bot'],
    '/api/channels': ['channels', 'channels?text=channel%2025'],
    '/api/channel': [`channel?${at}`],
    '/api/channel/settings': [`channel/settings?${at}`],
    '/api/channel/upcoming': [`channel/upcoming?${at}`],
    '/api/health': ['health'],
    '/api/turns': [
      'turns',
      `turns?${at}`,
      `turns?before=${new Date(Date.now() - 7 * 86_400_000).toISOString()}`,
      'turns?turn=none',
    ],
    '/api/turns/search': [
      '',
      'outcome=failed',
      'outcome=failed&plugin=quiet',
      `channel=${encodeURIComponent(channel)}`,
      'person=bench%2Fu7',
      'person=bench%2Fu7&outcome=replied',
      'cost=0.01',
      'cost=0.01&took=3000',
      'model=seldom',
      'reason=a%20seldom%20reason',
      'week=30',
      'outcome=replied&week=30%20Europe%2FBerlin',
      'text=message',
      'text=nobody%20says%20this',
    ].map(filters => `turns/search?${filters}`),
    '/api/turns/choices': ['turns/choices'],
    '/api/turns/prompts': ['turns/prompts?turn=none'],
    '/api/turns/channels': ['turns/channels?text=channel%2025'],
    '/api/turns/people': ['turns/people?text=name%20of%20u77'],
    '/api/overview': ['overview', 'overview?hours=720'],
    '/api/overview/channels': ['overview/channels', 'overview/channels?hours=720', 'overview/channels?text=channel%2025'],
    '/api/costs': [1, 30, 400].flatMap(days => {
      const [to, from] = [new Date(), new Date(Date.now() - days * 86_400_000)]
      return ['place', 'model'].map(by => `costs?from=${from.toISOString()}&to=${to.toISOString()}&by=${by}`)
    }),
    '/api/drops': ['drops'],
    '/api/places': ['places', `places?${at}`],
    '/api/facts': [`facts?${at}`, `facts?${at}&by=keyword&text=w1%20w20%20w300`, `facts?${at}&before=${Date.now()}.1000000`],
    '/api/facts/{id}': ['facts/1'],
    '/api/people': ['people', 'people?text=ers'],
    '/api/people/card': [`people/card?${who}`],
    '/api/inbox': ['new', 'disagreeing', 'replaced', 'expiring', 'all'].map(queue => `inbox?queue=${queue}`),
    '/api/facts/{id}/uses': ['facts/1/uses'],
    '/api/operations/log': ['operations/log'],
    '/api/operations/backups': ['operations/backups'],
    '/api/operations/jobs': ['operations/jobs'],
    '/api/people/facts': [`people/facts?${who}`],
    '/api/playground': ['playground'],
    '/api/playground/messages': ['playground/messages?room=general'],
    '/api/tuning': [`tuning?${at}`],
    '/api/ratings': ['ratings'],
    '/api/ratings/{turn}': ['ratings/none'],
    '/api/evaluation': ['evaluation'],
    '/api/studio': ['studio'],
    '/api/studio/platforms': ['studio/platforms'],
    '/api/studio/places': ['studio/places?text=channel%2025'],
    '/api/studio/place': ['studio/place?kind=channels&name=channel%2025'],
    '/api/studio/history': ['studio/history'],
  }
}

const TOO_MANY = 429

/** The time of each address, in milliseconds; the first request, which also loads code, comes first. Throws for an answer that is not 200. */
export async function timedRequests(
  url: string,
  channel: string,
  rounds: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const known = addresses(channel)
  const missing = (await routes(url)).filter(route => !known[route] && !LEFT_OUT.includes(route))
  if (missing.length > 0)
    throw new Error(`These routes are not measured: ${missing.join(', ')}. Add them to bench/speed/storage/requests.ts.`)
  const times = new Map<string, number[]>()
  for (const path of Object.values(known).flat()) {
    progress(`GET /api/${path}`)
    const taken: number[] = []
    while (taken.length <= rounds) {
      const start = performance.now()
      const response = await fetch(`${url}/api/${path}`)
      const text = await response.text()
      if (response.status === TOO_MANY) {
        await pause(1_000)
        continue
      }
      taken.push(performance.now() - start)
      if (response.status !== 200) throw new Error(`GET /api/${path} was answered with ${response.status}: ${text}`)
    }
    times.set(decodeURIComponent(path), taken)
  }
  return times
}

/** The routes that can be read, as the dashboard describes itself. */
async function routes(url: string): Promise<readonly string[]> {
  const response = await fetch(`${url}/api/openapi.json`)
  const { paths } = (await response.json()) as { readonly paths: Readonly<Record<string, { readonly get?: unknown }>> }
  return Object.entries(paths).flatMap(([path, methods]) => (methods.get ? path : []))
}
