/** The checks of the security. */
import type { Check } from '../diagnosis.ts'
import { whoMay } from './access.ts'
import { exposedServer, plainDatabase, weakPasswords } from './http.ts'
import { dangerousEnvironment, literalSecrets, readableSecrets } from './secrets.ts'
import type { Subject } from './subject.ts'
import { otherBots, unlimitedCost } from './use.ts'

/** A new check is a function in this folder, and a line here. */
export const SECURITY: readonly Check<Subject>[] = [
  { name: 'http', run: exposedServer },
  { name: 'database', run: plainDatabase },
  { name: 'passwords', run: weakPasswords },
  { name: 'secrets', run: literalSecrets },
  { name: 'rights', run: readableSecrets },
  { name: 'environment', run: dangerousEnvironment },
  { name: 'cost', run: unlimitedCost },
  { name: 'listening', run: otherBots },
  { name: 'access', run: whoMay },
]
