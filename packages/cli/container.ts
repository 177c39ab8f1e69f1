/**
 * What a container needs: the password of the database from a file, which every command of the container reads, and a bot.config.ts in a
 * mounted folder that uses the packages of the image.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * If PGPASSWORD_FILE is set afterwards, the password comes from it. A file that cannot be read gives none: a command that needs no
 * database runs, and the others say what is missing.
 */
export function readPasswordFile(env: NodeJS.ProcessEnv): void {
  if (env.PGPASSWORD) delete env.PGPASSWORD_FILE
  if (!env.PGPASSWORD_FILE) return
  try {
    env.PGPASSWORD = readFileSync(env.PGPASSWORD_FILE, 'utf8').trimEnd()
  } catch {}
}

/**
 * From now on, files outside the folder KIKIMIMI_PACKAGES import packages from its node_modules. The mounted folder can have packages of
 * its own, which belong to another system and would be a second kikimimi in the process.
 */
export function usePackagesOf(folder: string): void {
  const packages = pathToFileURL(`${resolve(folder)}/`).href
  registerHooks({
    resolve(specifier, context, next) {
      const isOutside = context.parentURL?.startsWith('file:') && !context.parentURL.startsWith(packages)
      const isPackage = !/^(?:\.{0,2}\/|[a-z]+:)/.test(specifier)
      return next(specifier, isOutside && isPackage ? { ...context, parentURL: packages } : context)
    },
  })
}
