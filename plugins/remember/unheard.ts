/** The service `Unheard`, with which other plugins ask for opt-outs. */
import { type PersonKey, service } from 'kikimimi'

export interface Unheard {
  /** Whether the person is opted out now. Usually needs no query. */
  has(person: PersonKey): Promise<boolean>
}

export const Unheard = service<Unheard>('unheard', '@kikimimi/remember')
