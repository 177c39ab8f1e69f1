#!/usr/bin/env bash
# A throwaway Postgres with pgvector on 127.0.0.1, for tests:
#
#   scripts/postgres.sh start DIR [PORT]    makes what is missing, starts it, prints the URL for TEST_DATABASE_URL
#   scripts/postgres.sh stop DIR            stops it; deleting DIR removes it
#
# Takes the Postgres and the pgvector of this machine where it has them. Otherwise, on Debian and Ubuntu and as root, apt
# brings Postgres, and pgvector as its package or as Debian's source. The server runs from a copy in DIR and never as root,
# so nothing under /usr changes. It trusts everybody and forgets on power loss: keep it off the network.
set -euo pipefail
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive

# The source of pgvector in Debian 13.
vector=0.8.0
vector_sha256=867a2c328d4928a5a9d6f052cd3bc78c7d60228a9b914ad32aa3db88e9de27b0

die() { echo "scripts/postgres.sh: $*" >&2; exit 1; }
say() { echo "$*" >&2; }

command=${1:-} dir=${2:-} port=${3:-54329}
[[ $command =~ ^(start|stop)$ && -n $dir && $port =~ ^[0-9]+$ ]] || die 'start DIR [PORT], or stop DIR'
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

# Postgres refuses to run as root. From /, because that user may not be allowed where we are.
user=$(id -un)
if [ "$user" = root ]; then
  user=nobody
  as_user() { (cd / && setpriv --reuid "$user" --regid "$(id -g "$user")" --clear-groups -- "$@"); }
else
  as_user() { (cd / && "$@"); }
fi

newest_server() { find /usr/lib/postgresql -path '*/bin/postgres' 2>/dev/null | cut -d/ -f5 | sort -n | tail -1; }
running() { [ -s "$dir/data/postmaster.pid" ] && as_user "$bin/pg_ctl" -D "$dir/data" status >/dev/null 2>&1; }
paths() { version=$1 copy=$dir/postgres; bin=$copy/lib/postgresql/$1/bin lib=$copy/lib/postgresql/$1/lib extension=$copy/share/postgresql/$1/extension; }

if [ "$command" = stop ]; then
  [ -s "$dir/data/PG_VERSION" ] || exit 0
  paths "$(<"$dir/data/PG_VERSION")"
  ! running || as_user "$bin/pg_ctl" -D "$dir/data" -m immediate -w stop >/dev/null
  exit 0
fi

exec 9>"$dir/.lock"
flock 9 # of two that start at once, the second finds it running

apt_install() {
  [ "$(id -u)" = 0 ] || die "$* is missing. Install it, or run this once as root."
  apt-get update -qq >&2
  apt-get install -y -qq --no-install-recommends "$@" >&2 9>&-
}

if [ -z "$(newest_server)" ]; then
  say 'installing Postgres'
  mkdir -p /etc/postgresql-common
  [ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
  apt_install postgresql
fi
paths "$(newest_server)"

if [ ! -e "$copy/complete" ]; then
  say "copying Postgres $version"
  rm -rf "$copy"
  mkdir -p "$copy"
  # Without the bitcode of the JIT compiler, which is most of it.
  tar -C /usr -ch --exclude=bitcode --exclude='llvmjit*' --exclude=man --exclude=pgxs "lib/postgresql/$version" "share/postgresql/$version" |
    tar -C "$copy" -x
  touch "$copy/complete"
fi

# ---------------------------------------------------------------- pgvector

from_package() {
  mkdir -p "$dir/package"
  (cd "$dir/package" && apt-get -qq -o APT::Sandbox::User=root download "postgresql-$version-pgvector" >&2 && dpkg-deb -x ./*.deb .) || return 1
  cp "$dir/package/usr/lib/postgresql/$version/lib/vector.so" "$lib/"
  cp "$dir/package/usr/share/postgresql/$version/extension/"vector* "$extension/"
}

# Compiled against headers that are unpacked and not installed: their package wants all of clang.
from_source() {
  command -v gcc >/dev/null || apt_install gcc libc6-dev
  mkdir -p "$dir/source"
  cd "$dir/source"
  apt-get -qq -o APT::Sandbox::User=root download "postgresql-server-dev-$version" >&2
  dpkg-deb -x postgresql-server-dev-*.deb headers
  local mirror
  for mirror in $(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sort -u); do
    /usr/lib/apt/apt-helper -qq -o APT::Sandbox::User=root download-file \
      "${mirror%/}/pool/main/p/pgvector/pgvector_$vector.orig.tar.gz" pgvector.tar.gz "SHA256:$vector_sha256" >/dev/null 2>&1 && break
  done
  echo "$vector_sha256  pgvector.tar.gz" | sha256sum -c --quiet >&2
  tar xzf pgvector.tar.gz --strip-components=1
  local include=headers/usr/include/postgresql
  export FLAGS="-O2 -ftree-vectorize -fassociative-math -fno-signed-zeros -fno-trapping-math -fno-math-errno -fno-strict-aliasing
    -fwrapv -fPIC -w -D_GNU_SOURCE -Isrc -I$include/$version/server -I$include/internal -I/usr/include/postgresql"
  printf '%s\n' src/*.c | xargs -P "$(nproc)" -I{} sh -c 'gcc $FLAGS -c "$1" -o "$1.o"' _ {}
  gcc -shared -o "$lib/vector.so" src/*.o -lm
  cp vector.control "$extension/"
  cp sql/vector.sql "$extension/vector--$vector.sql"
}

if [ ! -e "$lib/vector.so" ]; then
  say 'adding pgvector'
  [ "$(id -u)" != 0 ] || apt-get update -qq >&2
  if apt-cache show "postgresql-$version-pgvector" >/dev/null 2>&1; then from_package; else (from_source); fi
fi

# ---------------------------------------------------------------- the server

as_user test -x "$bin/postgres" || die "the user $user cannot reach $dir: mind the rights of the folders above it"

if [ ! -s "$dir/data/PG_VERSION" ]; then
  rm -rf "$dir/data"
  mkdir -m 700 "$dir/data"
  chown "$user" "$dir/data"
  as_user "$bin/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync --no-instructions >/dev/null
  cat >>"$dir/data/postgresql.conf" <<SETTINGS
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
dynamic_shared_memory_type = mmap
jit = off
fsync = off
synchronous_commit = off
full_page_writes = off
SETTINGS
fi
if ! running; then
  as_user "$bin/pg_ctl" -D "$dir/data" -l "$dir/data/log" -o "-p $port" -w start >/dev/null 9>&- || {
    tail -5 "$dir/data/log" >&2
    die 'the server did not start'
  }
fi
port=$(sed -n 4p "$dir/data/postmaster.pid")
as_user "$bin/psql" -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$port" -U postgres -c 'set client_min_messages = warning' \
  -c 'create extension if not exists vector' 9>&-
echo "postgres://postgres@127.0.0.1:$port/postgres"
