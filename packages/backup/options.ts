import { z } from 'zod'

export const options = z
  .strictObject({
    to: z
      .string()
      .min(1)
      .default(() => process.env.BACKUP_TO || './backups')
      .describe(
        'A folder, or `s3://bucket/prefix` of an S3-compatible store. One bot, one place. Default: `BACKUP_TO`, or `./backups`.',
      )
      .meta({ environment: 'BACKUP_TO' }),
    key: z
      .string()
      .default(() => process.env.BACKUP_KEY ?? '')
      .refine(key => /^(age1|AGE-SECRET-KEY-1)\S+$/.test(key), {
        error: 'expected a key of age, which kikimimi backup --new-key makes: set BACKUP_KEY',
      })
      .describe(
        'Key of age: `AGE-SECRET-KEY-1…` also decrypts each backup to verify it; `age1…` only encrypts. Default: `BACKUP_KEY`.',
      )
      .meta({ environment: 'BACKUP_KEY', asked: true }),
    at: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'expected a time of day such as 03:30' })
      .default('03:30')
      .describe('Time of day of the backup.'),
    timeZone: z
      .string()
      .refine(isTimeZone, { error: 'expected a time zone such as Europe/Berlin' })
      .optional()
      .describe('Time zone of `at`. Default: the zone of the machine.'),
    keep: z.number().int().min(1).default(14).describe('Number of backups that are kept. Older ones are removed.'),
  })
  .prefault({})

export type BackupOptions = z.output<typeof options>

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
