import { resolve } from 'node:path'
import { KikimimiError } from 'kikimimi'
import { folderStore } from './folder.ts'
import type { BackupStore } from './store.ts'

/**
 * @param to a folder, or `s3://bucket/prefix`
 * @throws BACKUP_STORE for a bucket without keys in the environment
 */
export async function openStore(to: string, env: NodeJS.ProcessEnv): Promise<BackupStore> {
  const { protocol, host: bucket, pathname: prefix } = URL.parse(to) ?? {}
  if (protocol !== 's3:' || !bucket || prefix === undefined) return folderStore(resolve(to))
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_REGION: region = 'auto' } = env
  if (!id || !secret) {
    throw new KikimimiError(
      'BACKUP_STORE',
      `The store ${to} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.`,
    )
  }
  const endpoint = env.AWS_ENDPOINT_URL || `https://s3.${region}.amazonaws.com`
  const { s3Store } = await import('./s3.ts')
  return s3Store({ endpoint, region, bucket, prefix: prefix.split('/').filter(Boolean).join('/'), id, secret })
}
