# The dashboard with a password, as docs/operations.md says it, in a browser.
fresh "DASHBOARD_PASSWORD='a long enough password'" <<'YAML'
services:
  bot:
    environment:
      KIKIMIMI_HTTP: 0.0.0.0:8787
    ports: ["127.0.0.1::8787"]
YAML
address=$(docker compose port bot 8787)
loaded=$(node "$checkout/scripts/run.mjs" scripts/compose-check/dashboard.ts "http://$address" 'a long enough password') ||
  fail 'the dashboard does not open, or its page is no bundle'
closed=$(node -e 'fetch(process.argv[1]).then(r => console.log(r.status))' "http://$address/api/turns")
[ "$closed" = 401 ] || fail "without the password the API answers $closed"
ok "the dashboard opens with its password; its page is a bundle, $loaded"
