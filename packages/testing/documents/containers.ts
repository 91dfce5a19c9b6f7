import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { use } from '../programs/programs.ts';
import { root } from './code-blocks.ts';
import { shell } from './programs.ts';

/**
 * Stands in for Docker: what a command runs inside of a container runs on this machine, with that container's
 * environment and its volume's folder. Commands that only start or build containers are noted in the file `calls`.
 */
const DOCKER = `#!/usr/bin/env bash
set -euo pipefail
echo "$*" >> "$STAGE/calls"
[ "$*" != "\${FAILING:-}" ] || exit 1
volume=''
inside() {
  local args=()
  for arg in "$@"; do args+=("\${volume:+\${arg/#$volume\\//$VOLUME/}}"); done
  [ -n "$volume" ] || args=("$@")
  cd "$ROOT" && exec "\${args[@]}"
}
options() {
  while [ "\${1:-}" = --rm ] || [ "\${1:-}" = -v ]; do
    if [ "$1" = -v ]; then volume="\${2#*:}"; shift; fi
    shift
  done
  shift
  [ "$kind" = node ] && export DATA_DIR="$NODE_DATA" DATABASE_URL="$NODE_DATABASE_URL" || export DATA_DIR="$VOLUME"
  inside "$@"
}
case "$*" in
  'compose exec -T postgres '*) shift 4; exec "$POSTGRES_PROGRAMS/$1" "\${@:2}" ;;
  'compose stop '* | 'stop '*) kill "$SERVICE"; while kill -0 "$SERVICE" 2> /dev/null; do sleep 0.02; done ;;
  'compose run '*) kind=node; shift 2; options "$@" ;;
  'run '*) kind=alone; shift 1; options "$@" ;;
  'compose build' | 'compose up '* | 'compose start '*) ;;
  *) echo "no way to run: docker $*" >&2; exit 2 ;;
esac
`;

interface Containers {
  /** A folder of the test. */
  readonly folder: string;
  /** The folder of the volume `parley`. */
  readonly volume?: string;
  /** The server of the container `postgres`. */
  readonly postgres?: string;
  /** The process of the service that `stop` stops. */
  readonly service?: number;
  /** A command of docker that fails. */
  readonly failing?: string;
  readonly SECRETS_KEY?: string;
}

/** Runs documented commands for containers in `cwd`, and returns what they print. */
export async function inContainers(code: string, cwd: string, containers: Containers): Promise<string> {
  const { folder, volume = '', postgres, service = 0, failing = '', SECRETS_KEY = '' } = containers;
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'docker'), DOCKER);
  await chmod(join(bin, 'docker'), 0o755);
  const server = new URL(postgres ?? 'postgres://nowhere:1');
  const env = {
    STAGE: folder,
    ROOT: root,
    VOLUME: volume,
    NODE_DATA: join(folder, 'node'),
    NODE_DATABASE_URL: postgres === undefined ? '' : `postgres://parley@${server.host}/parley`,
    SECRETS_KEY,
    SERVICE: String(service),
    FAILING: failing,
    PGHOST: server.hostname,
    PGPORT: server.port,
    POSTGRES_PROGRAMS: postgres === undefined ? '' : use('postgres-clients'),
    PATH: [bin, join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
  };
  return shell(code, env, cwd);
}
