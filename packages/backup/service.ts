import { service } from 'kikimimi'
import type { MakesBackups } from './backups.ts'

/** The backups of a running bot. */
export const Backups = service<MakesBackups>('backups', '@kikimimi/backup')
