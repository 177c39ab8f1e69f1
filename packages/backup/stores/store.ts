/** Where backups are kept: a folder, or a bucket of an S3-compatible store. */
export interface BackupStore {
  /** For messages. Without secrets. */
  readonly where: string
  /** Writes a backup completely or not at all. */
  put(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  get(name: string): AsyncIterable<Uint8Array>
  /** The backups in it, newest first. Other files are no part of it. */
  list(): Promise<readonly StoredBackup[]>
  remove(name: string): Promise<void>
}

export interface StoredBackup {
  /** `kikimimi-2026-11-25T03-30-00Z.backup.age` */
  readonly name: string
  readonly at: Date
  readonly bytes: number
}

export function nameAt(at: Date): string {
  return `kikimimi-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup.age`
}

/** Undefined: no backup has this name. */
export function timeOf(name: string): Date | undefined {
  const [, day, hour, minute, second] = /^kikimimi-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup\.age$/.exec(name) ?? []
  return day === undefined ? undefined : new Date(`${day}T${hour}:${minute}:${second}Z`)
}

export function newestFirst(all: readonly StoredBackup[]): readonly StoredBackup[] {
  return all.toSorted((one, other) => other.at.getTime() - one.at.getTime())
}
