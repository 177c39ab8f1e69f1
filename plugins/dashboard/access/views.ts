import { z } from 'zod'
import { ROLES } from '../server/roles.ts'

export const accountView = z.object({
  name: z.string(),
  role: z.enum(ROLES),
  secondFactor: z.boolean().describe('Whether a second factor is set.'),
})
export type AccountView = z.output<typeof accountView>

export const accessView = z.object({
  me: accountView.optional().describe('The own account. Absent without a password.'),
  accounts: z.array(accountView).describe('All accounts, for an owner.'),
  sessions: z.array(
    z.object({
      id: z.string(),
      account: z.string(),
      begunAt: z.iso.datetime(),
      usedAt: z.iso.datetime(),
      address: z.string(),
      browser: z.string(),
      isHere: z.boolean().describe('It is the session of this request.'),
    }),
  ),
})
export type AccessView = z.output<typeof accessView>

export const changeView = z.object({
  id: z.number(),
  at: z.iso.datetime(),
  account: z.string(),
  session: z.string(),
  address: z.string(),
  what: z.string(),
  about: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  status: z.number().describe('Of the answer. 400 or more: refused.'),
  times: z
    .number()
    .describe('How many requests the row stands for: equal refused ones of an hour are two rows, the first and all others.'),
})
export type ChangeView = z.output<typeof changeView>

export const enrolment = z.object({
  secret: z.string(),
  uri: z.string(),
  qr: z.object({ size: z.number(), path: z.string() }).describe('The URI as a QR code: squares in the path of an SVG.'),
})
export type EnrolmentView = z.output<typeof enrolment>
