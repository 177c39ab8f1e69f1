/** Who may log in, who is logged in, and what was changed. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { PluginContext } from 'kikimimi'
import { z } from 'zod'
import type { Guard } from '../server/access.ts'
import { sessionOf } from '../server/access.ts'
import { OWNER } from '../server/accounts.ts'
import { changesIn } from '../server/changes.ts'
import type { Logins } from '../server/logins.ts'
import { ROLES } from '../server/roles.ts'
import { idOf, sessionsIn } from '../server/sessions.ts'
import { refused, withTypes } from '../server/typed.ts'
import { accessView, accountView, changeView, enrolment } from './views.ts'

export interface AccessParts extends Pick<Guard, 'whoIs'> {
  /** Absent without a password. */
  readonly logins: Logins | undefined
}

/** Changes at a time. */
const SHOWN = 100

const name = z
  .string()
  .regex(/^[\p{L}\p{M}\p{N}_.@-]{1,64}$/u, 'the name of an account has letters, digits, _, ., @ and -, 64 at most')
const role = z.enum(ROLES)
const password = z.string().min(12, 'expected 12 characters or more').max(1_000)
const given = z.string().min(1).max(1_000)

const OPEN = { message: 'Accounts need a password of the dashboard: set DASHBOARD_PASSWORD.' }
const NO_ACCOUNT = { message: 'There is no such account, or it is the owner of the options.' }
const WRONG = { message: 'That is not the password, or not the code.' }

export function accessRoutes(
  server: FastifyInstance,
  ctx: Pick<PluginContext, 'db' | 'clock'>,
  { logins, whoIs }: AccessParts,
): void {
  const typed = withTypes(server)
  const nameOf = (request: FastifyRequest) => whoIs(request)?.account ?? OWNER

  typed.get(
    '/api/access',
    {
      config: { role: 'viewer' },
      schema: {
        summary: 'The own account with its sessions; for an owner all accounts and sessions',
        response: { 200: accessView },
      },
    },
    async request => {
      const who = whoIs(request)
      if (!logins || !who) return { sessions: [], accounts: [] }
      const all = await logins.accounts.all()
      const isOwner = who.role === 'owner'
      const here = idOf(sessionOf(request))
      const sessions = await sessionsIn(ctx, isOwner ? undefined : who.account)
      return {
        me: all.find(one => one.name === who.account),
        accounts: isOwner ? [...all] : [],
        sessions: sessions.map(({ begunAt, usedAt, ...one }) => ({
          ...{ ...one, begunAt: begunAt.toISOString(), usedAt: usedAt.toISOString(), isHere: one.id === here },
        })),
      }
    },
  )

  typed.get(
    '/api/access/changes',
    {
      config: { role: 'owner' },
      schema: {
        summary: 'What was changed and refused on the page, latest first, for a year',
        querystring: z.object({
          account: z.string().max(100).optional(),
          text: z.string().max(100).optional().describe('A part of what was done, or of the ids in it.'),
          outcome: z.enum(['done', 'refused']).optional().describe('Absent: both.'),
          before: z.coerce.number().int().optional().describe('Only changes before the one with this id.'),
        }),
        response: { 200: z.object({ changes: z.array(changeView), more: z.boolean() }) },
      },
    },
    async ({ query }) => {
      const found = await changesIn(ctx.db, { ...query, limit: SHOWN + 1 })
      const changes = found.slice(0, SHOWN).map(({ at, ...one }) => ({ ...one, at: at.toISOString() }))
      return { changes, more: found.length > SHOWN }
    },
  )

  // ---------------------------------------------------------------- the own account

  typed.delete(
    '/api/access/sessions/:id',
    {
      config: { role: 'viewer' },
      schema: {
        summary: 'End a session',
        params: z.object({ id: z.string().max(100) }),
        response: { 200: z.object({}), 404: refused },
      },
    },
    async (request, reply) => {
      const who = whoIs(request)
      const isEnded = await logins?.sessions.endById(request.params.id, who?.role === 'owner' ? undefined : who?.account)
      return isEnded ? {} : reply.code(404).send({ message: 'There is no such session.' })
    },
  )

  typed.put(
    '/api/access/password',
    {
      bodyLimit: 4_096,
      config: { role: 'viewer' },
      schema: {
        summary: 'Change the own password; ends all sessions of the account',
        body: z.strictObject({ password: given, next: password }),
        response: { 200: z.object({}), 401: refused, 409: refused, 422: refused },
      },
    },
    async (request, reply) => {
      if (!logins) return reply.code(409).send(OPEN)
      const account = nameOf(request)
      if (account === OWNER)
        return reply.code(422).send({ message: 'This password is in the options: change DASHBOARD_PASSWORD.' })
      if (!(await logins.accounts.isPassword(account, request.body.password))) return reply.code(422).send(WRONG)
      await logins.accounts.change(account, { password: request.body.next })
      logins.sessions.refresh()
      return {}
    },
  )

  typed.post(
    '/api/access/second-factor',
    {
      config: { role: 'viewer' },
      schema: {
        summary: 'Begin with a second factor; it is used after a code has confirmed it',
        response: { 200: enrolment, 409: refused },
      },
    },
    async (request, reply) => {
      if (!logins) return reply.code(409).send(OPEN)
      const account = nameOf(request)
      if (await logins.secondFactor.isSet(account)) return reply.code(409).send({ message: 'There is a second factor already.' })
      return logins.secondFactor.begin(account)
    },
  )

  typed.put(
    '/api/access/second-factor',
    {
      bodyLimit: 4_096,
      config: { role: 'viewer' },
      schema: {
        summary: 'Confirm the second factor with a code of the app',
        body: z.strictObject({ code: given }),
        response: { 200: z.object({ recovery: z.array(z.string()) }), 409: refused, 422: refused },
      },
    },
    async (request, reply) => {
      if (!logins) return reply.code(409).send(OPEN)
      const recovery = await logins.secondFactor.confirm(nameOf(request), request.body.code)
      return recovery ? { recovery: [...recovery] } : reply.code(422).send({ message: 'That is not the code of now.' })
    },
  )

  typed.post(
    '/api/access/second-factor/remove',
    {
      bodyLimit: 4_096,
      config: { role: 'viewer' },
      schema: {
        summary: 'Remove the own second factor',
        body: z.strictObject({ code: given.describe('Of the app, or a recovery code.') }),
        response: { 200: z.object({}), 409: refused, 422: refused },
      },
    },
    async (request, reply) => {
      if (!logins) return reply.code(409).send(OPEN)
      const account = nameOf(request)
      if (!(await logins.secondFactor.take(account, request.body.code))) return reply.code(422).send(WRONG)
      await logins.secondFactor.remove(account)
      return {}
    },
  )

  // ---------------------------------------------------------------- all accounts

  typed.post(
    '/api/access/accounts',
    {
      bodyLimit: 4_096,
      config: { role: 'owner' },
      schema: {
        summary: 'Add an account',
        body: z.strictObject({ name, role, password }),
        response: { 200: z.object({ accounts: z.array(accountView) }), 409: refused },
      },
    },
    async ({ body }, reply) => {
      if (!logins) return reply.code(409).send(OPEN)
      const isNew = await logins.accounts.add(body, body.password)
      if (!isNew) return reply.code(409).send({ message: `There is an account ${body.name} already.` })
      return { accounts: [...(await logins.accounts.all())] }
    },
  )

  typed.patch(
    '/api/access/accounts/:name',
    {
      bodyLimit: 4_096,
      config: { role: 'owner' },
      schema: {
        summary: 'Change the role of an account; ends its sessions',
        params: z.object({ name }),
        body: z.strictObject({ role }),
        response: { 200: z.object({ accounts: z.array(accountView) }), 404: refused, 409: refused },
      },
    },
    async ({ params, body }, reply) => {
      if (!logins) return reply.code(409).send(OPEN)
      if (!(await logins.accounts.change(params.name, body))) return reply.code(404).send(NO_ACCOUNT)
      logins.sessions.refresh()
      return { accounts: [...(await logins.accounts.all())] }
    },
  )

  typed.delete(
    '/api/access/accounts/:name',
    {
      config: { role: 'owner' },
      schema: {
        summary: 'Remove an account; ends its sessions',
        params: z.object({ name }),
        response: { 200: z.object({ accounts: z.array(accountView) }), 404: refused, 409: refused },
      },
    },
    async ({ params }, reply) => {
      if (!logins) return reply.code(409).send(OPEN)
      if (!(await logins.accounts.remove(params.name))) return reply.code(404).send(NO_ACCOUNT)
      logins.sessions.refresh()
      return { accounts: [...(await logins.accounts.all())] }
    },
  )
}
