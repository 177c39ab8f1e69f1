/** What to do about a password that the server refuses: it comes from one of several places. */
export function wrongPassword(url: string, env: NodeJS.ProcessEnv = process.env): string {
  if (URL.parse(url)?.password) return 'Correct it in DATABASE_URL.'
  if (env.PGPASSWORD_FILE && !env.PGPASSWORD)
    return `The file ${env.PGPASSWORD_FILE}, which PGPASSWORD_FILE names, is empty or cannot be read.`
  if (env.PGPASSWORD_FILE) {
    return [
      `It comes from the file ${env.PGPASSWORD_FILE}, which PGPASSWORD_FILE names.`,
      'With Docker Compose the volume of the database keeps the password of its first start, and a later POSTGRES_PASSWORD does not',
      'change it: put the first one back into .env, or change it in the database as docs/operations.md#the-password-of-the-database says.',
    ].join(' ')
  }
  if (env.PGPASSWORD) return 'It comes from PGPASSWORD, because DATABASE_URL has none. Correct it there.'
  return 'DATABASE_URL has none: put it there, or into PGPASSWORD.'
}
