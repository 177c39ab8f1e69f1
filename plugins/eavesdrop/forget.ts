/** Erases the data of a person. */
import { type Database, type ForgottenPerson, nameMatcher, type PersonKey } from 'kikimimi'

interface Words {
  readonly turn: string
  readonly people: readonly string[]
  readonly said: string
}

/**
 * Deletes the words of interventions in conversations of these people, or in which somebody named them. The interventions
 * themselves and their effects stay.
 */
export async function forgetPerson(db: Database, { platform, id, names, before }: ForgottenPerson): Promise<void> {
  const here = `${encodeURIComponent(platform)}/`
  // Judgements are derived from messages. They are made again.
  await db.query('delete from eavesdrop.judgement where starts_with(conversation, $1) and at <= $2', [here, before])
  const matcher = nameMatcher(names)
  for (let after = ''; ; ) {
    const { rows } = await db.query<Words>(
      `select turn, people, concat_ws(E'\\n', talk::text, answer) as said from eavesdrop.intervention
       where starts_with(conversation, $1) and at <= $2 and turn > $3 order by turn limit 500`,
      [here, before, after],
    )
    const theirs = rows.filter(
      ({ people, said }) => people.includes(id) || said.includes(JSON.stringify(id)) || matcher.test(said),
    )
    await db.query(
      'update eavesdrop.intervention set talk = null, answer = null, people = array_remove(people, $2) where turn = any($1)',
      [theirs.map(({ turn }) => turn), id],
    )
    const last = rows.at(-1)
    if (!last) return
    after = last.turn
  }
}

/** Whether one of the people is being forgotten now. */
export async function isAnyForgotten(db: Database, platform: string, people: readonly PersonKey['id'][]): Promise<boolean> {
  const { rows } = await db.query('select 1 from unnest($2::text[]) as person where kikimimi_v1.is_being_forgotten($1, person)', [
    platform,
    people,
  ])
  return rows.length > 0
}
