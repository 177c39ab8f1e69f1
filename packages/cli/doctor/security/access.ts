/** Who may call the bot, give it orders and use its tools, and what of it is open to everybody. */
import type { People } from 'kikimimi'
import { peopleFor, toldPeople } from 'kikimimi/host'
import { type Diagnosis, ok } from '../diagnosis.ts'
import type { Subject } from './subject.ts'

type Rules = Subject['settings']['access']

export async function whoMay({ settings, tools }: Subject): Promise<Diagnosis[]> {
  const { access } = settings
  const all = await tools()
  const told = (of: (rules: Partial<Rules>) => People | undefined) => {
    const inPlaces = placesOf(access).flatMap(({ place, rules }) => {
      const people = of(rules)
      return people === undefined ? [] : [`${toldPeople(people)} in ${place}`]
    })
    return [toldPeople(of(access) ?? EVERYONE), ...inPlaces].join('; ')
  }
  const orders = told(({ orders }) => orders)
  const subjects = [
    { what: 'calls', who: told(({ call }) => call) },
    { what: 'orders', who: orders },
    ...all.map(({ name, plugin, isOrder }) => {
      const who = told(({ tools: rules }) => rules && peopleFor(name, rules))
      return { what: `the tool ${name} of ${plugin}`, who: isOrder ? `${who}, of those who may give orders: ${orders}` : who }
    }),
  ]
  const isOpen = (who: string) => who === EVERYONE || who === `${EVERYONE}, of those who may give orders: ${EVERYONE}`
  const open = subjects.filter(({ who }) => isOpen(who)).map(({ what }) => what)
  return [
    ...subjects.map(({ what, who }) => ok(`${what}: ${who}`)),
    ok(`open to everybody who can write to the bot: ${open.join(', ') || 'nothing'}`),
  ]
}

const EVERYONE = 'everyone'

function placesOf({ workspaces = {}, channels = {}, threads = {} }: Rules): { place: string; rules: Partial<Rules> }[] {
  const of = (kind: string, places: Readonly<Record<string, unknown>>) =>
    Object.entries(places).map(([name, rules]) => ({
      place: `${kind} ${name || '(direct messages)'}`,
      rules: rules as Partial<Rules>,
    }))
  return [...of('the workspace', workspaces), ...of('the channel', channels), ...of('the thread', threads)]
}
