/** Operations in the JSON API. */
import { z } from 'zod'
import { healthView } from '../health/views.ts'

export const backupsView = z.object({
  where: z.string().optional().describe('The folder or the bucket. Absent: there is no plugin for backups.'),
  backups: z.array(z.object({ name: z.string(), at: z.iso.datetime(), bytes: z.number() })).describe('Newest first.'),
  making: z.boolean().describe('Whether a backup is being made that was asked for here.'),
  why: z.string().optional().describe('Why the last backup that was asked for here failed, or why the backups cannot be listed.'),
})
export type BackupsView = z.infer<typeof backupsView>

export const jobsView = z.object({
  queue: healthView.shape.queue,
  letters: z
    .array(
      z.object({
        kind: z.string().describe('The kind of a job, or `turn`.'),
        id: z.string().describe('Id of a job, or of the conversation of a turn.'),
        key: z.string().describe('The key under which the job was scheduled. Empty: none.'),
        failedAt: z.iso.datetime(),
        why: z.string(),
      }),
    )
    .describe('Jobs and turns that failed in every attempt in the last day, at most 200, newest first.'),
})
export type JobsView = z.infer<typeof jobsView>
