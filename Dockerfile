FROM node:24-bookworm-slim AS source
WORKDIR /app
COPY . .

FROM source AS manifests
# Only what npm reads, so that a change of code leaves the next stage in the cache.
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete && find . -type d -empty -delete

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY --from=manifests /app ./
# The test runner is a peer: only those who test their plugins want it. All that is optional is Chroma's server (50 MB), which
# runs elsewhere.
RUN npm ci --omit=dev --omit=peer --omit=optional \
    && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.[cm]ts' \) -delete \
    && rm -f .npmrc

# The page of the dashboard as a bundle: few small files, instead of a request for each source.
FROM node:24-bookworm-slim AS page
WORKDIR /app
COPY --from=manifests /app ./
# The bundler is a dev dependency of the dashboard.
RUN npm ci --omit=peer --workspace=@kikimimi/dashboard
COPY --from=source /app ./
RUN node plugins/dashboard/files/bundle-page.ts /page

# What npm reads may hold the token of a registry: it is for the build, and not for who gets the image.
FROM source AS code
RUN rm -rf .npmrc plugins/dashboard/page
COPY --from=page /page plugins/dashboard/page

FROM node:24-bookworm-slim
ENV NODE_ENV=production KIKIMIMI_HTTP=127.0.0.1:8787 KIKIMIMI_PACKAGES=/app
WORKDIR /app
COPY --from=packages /app ./
COPY --from=code /app ./
# The command `kikimimi`, for docker compose exec; and folders for volumes: of backups, and of the data of a bot without a server.
RUN chmod +x packages/cli/bin.ts && ln -s /app/packages/cli/bin.ts /usr/local/bin/kikimimi \
    && install -d -o node -g node -m 700 /backups /data
USER node
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --start-interval=1s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.KIKIMIMI_HTTP.split(':').pop() + '/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["kikimimi", "start"]
