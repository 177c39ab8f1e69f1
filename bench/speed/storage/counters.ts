import type { Database } from 'kikimimi'

/** What the log of the bench has, and whether the counters agree with the rows. */
export async function countedRight(db: Database) {
  const ask = async (sql: string) => (await db.query<{ n: number }>(sql)).rows[0]?.n ?? Number.NaN
  const recorded = {
    before: await ask(`select count(*) as n from kikimimi.message where conversation like 'bench/%'`),
    new: await ask(`select count(*) as n from kikimimi.message where conversation like 'pipe/%' and not own`),
    own: await ask(`select count(*) as n from kikimimi.message where conversation like 'pipe/%' and own`),
  }
  const checks: Record<string, string> = {
    'messages are recorded twice': 'select count(*) - count(distinct (channel, id)) as n from kikimimi.message',
    'people have a wrong number of messages': `
      select count(*) as n from (
        select split_part(conversation, '/', 1) as platform, author_id as id, kikimimi.month_of(at) as month, count(*) as messages
        from kikimimi.message where not own and author_id <> '' and deleted_at is null group by 1, 2, 3
      ) m full join kikimimi.author a using (platform, id, month) where m.messages is distinct from a.messages`,
    'conversations have a wrong last message': `
      select count(*) as n from (select conversation, max(seq) as seq from kikimimi.message group by 1) m
        full join kikimimi.latest l using (conversation) where m.seq is distinct from l.seq`,
    'hours have a wrong number of turns': `
      select count(*) as n from (
        select kikimimi.channel_of(conversation) as channel, kikimimi.hour_of(at) as hour, count(*) as turns,
          count(*) filter (where outcome = 'replied') as replies from kikimimi.trace group by 1, 2
      ) t full join kikimimi.turn_count c using (channel, hour) where (t.turns, t.replies) is distinct from (c.turns, c.replies)`,
    'turns wait in the queue of before': `select count(*) as n from pgboss.job where name = 'turn' and state <= 'active'`,
  }
  const mistakes: string[] = []
  for (const [mistake, sql] of Object.entries(checks)) {
    const count = await ask(sql)
    if (count !== 0) mistakes.push(`${count} ${mistake}`)
  }
  return { recorded, mistakes }
}
