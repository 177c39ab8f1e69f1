/**
 * Installs the app in workspaces and organizations by OAuth: `/slack/install` leads to Slack, and Slack leads back to
 * `/slack/oauth_redirect`. https://docs.slack.dev/authentication/installing-with-oauth
 */
import type { ServerResponse } from 'node:http'
import type { webApi } from '@slack/bolt'
import { type Installation as Granted, InstallProvider } from '@slack/oauth'
import { KikimimiError, type PluginHooks } from 'kikimimi'
import type { PlatformContext } from 'kikimimi/platform'
import { texts } from '../texts.ts'
import { fixedAccess } from '../web-api/access.ts'
import { whoAmI } from '../web-api/account.ts'
import { createCalls, type quietLogger } from '../web-api/calls.ts'
import { NEEDED, WANTED } from '../web-api/scopes.ts'
import { createCipher } from './cipher.ts'
import { createStates } from './states.ts'
import { createInstallationStore, type Installation, type InstallationStore } from './store.ts'

export interface OAuthOptions {
  readonly clientId: string
  readonly clientSecret: string
  /** 32 bytes that encrypt the tokens. */
  readonly tokenKey: Buffer
}

export interface InstallingOptions {
  readonly ctx: Pick<PlatformContext, 'bot' | 'clock' | 'db' | 'log' | 'random'>
  readonly oauth: OAuthOptions
  readonly apiUrl: string
  readonly clientOptions: webApi.WebClientOptions & { readonly logger: ReturnType<typeof quietLogger> }
}

type Server = Parameters<PluginHooks['routes'] & {}>[0]

export interface Installing {
  readonly store: InstallationStore
  /** @param stored called when an installation is stored */
  routes(server: Server, stored: (id: string) => void): void
}

/** Status and text of the page for each error of @slack/oauth. */
const FAILURES: Readonly<Record<string, { readonly status: number; readonly text: Parameters<ReturnType<typeof texts>>[0] }>> = {
  slack_oauth_installer_authorization_error: { status: 200, text: 'install.cancelled' },
  slack_oauth_invalid_state: { status: 400, text: 'install.stale' },
  slack_oauth_missing_state: { status: 400, text: 'install.stale' },
  slack_oauth_missing_code: { status: 400, text: 'install.stale' },
}

export function createInstalling({ ctx, oauth, apiUrl, clientOptions }: InstallingOptions): Installing {
  const { clock, db, log, bot, random } = ctx
  const { clientId, clientSecret, tokenKey } = oauth
  const store = createInstallationStore(db, createCipher(tokenKey))
  const say = texts(bot.locale)

  /** What Slack has granted, with the name of the bot, which only the token tells. */
  async function installationOf({ bot, isEnterpriseInstall = false, team, enterprise }: Granted): Promise<Installation> {
    const place = isEnterpriseInstall ? enterprise : team
    if (!bot || !place) throw new KikimimiError('PLATFORM_REFUSED', 'Slack has granted no bot token.')
    const access = fixedAccess(bot.token)
    const calls = createCalls({ access, clientOptions, clock, random, lost() {} })
    const { user, userName, botId } = await whoAmI(calls, { apiUrl, signal: new AbortController().signal })
    return {
      ...{ id: place.id, name: place.name ?? place.id, isOrg: isEnterpriseInstall },
      ...{ user, userName, botId, scopes: bot.scopes, token: bot.token, refreshToken: bot.refreshToken },
      ...(bot.expiresAt !== undefined && { expiresAt: new Date(bot.expiresAt * 1_000) }),
      installedAt: new Date(clock.now()),
    }
  }

  function page(response: ServerResponse, status: number, text: string): void {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    const head = `<!DOCTYPE html><html lang="${bot.locale}"><meta charset="utf-8"><title>${escaped}</title>`
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    response.end(`${head}<p>${escaped}</p></html>`)
  }

  return {
    store,

    routes(server, stored) {
      const provider = new InstallProvider({
        ...{ clientId, clientSecret, clientOptions },
        logger: clientOptions.logger,
        authorizationUrl: new URL('/oauth/v2/authorize', apiUrl).href,
        installUrlOptions: { scopes: [...NEEDED, ...Object.keys(WANTED)] },
        stateStore: createStates({ db, clock, key: tokenKey }),
        directInstall: true,
        installationStore: {
          async storeInstallation(granted) {
            const installation = await installationOf(granted)
            await store.save(installation)
            stored(installation.id)
            log.info(`the app was installed in ${installation.name}`, { id: installation.id, isOrg: installation.isOrg })
          },
          fetchInstallation: () => Promise.reject(new Error('not used')),
        },
      })

      server.get('/slack/install', { config: { public: true } }, async (request, reply) => {
        reply.hijack()
        await provider.handleInstallPath(request.raw, reply.raw)
      })

      server.get('/slack/oauth_redirect', { config: { public: true } }, async (request, reply) => {
        reply.hijack()
        await provider.handleCallback(request.raw, reply.raw, {
          success: ({ team, enterprise }, _asked, _request, response) => {
            const name = team?.name ?? enterprise?.name ?? ''
            page(response, 200, say('install.done', { bot: bot.name, name }))
          },
          failure(error, _asked, _request, response) {
            const { status, text } = FAILURES[error.code] ?? { status: 502, text: 'install.failed' as const }
            if (status >= 500) log.warn('the app could not be installed', { error: error.message })
            page(response, status, say(text))
          },
        })
      })
    },
  }
}
