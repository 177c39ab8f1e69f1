/** What other plugins know of who does not want to be heard: the service `Unheard`. */
import { type PersonKey, service } from 'kikimimi'

export interface Unheard {
  /** Whether they do not want to be heard now. Known without a query as a rule. */
  has(person: PersonKey): Promise<boolean>
}

export const Unheard = service<Unheard>('unheard', '@kikimimi/remember')
