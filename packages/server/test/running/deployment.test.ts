import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { PostgresConnection } from '@parley/server/store/engines/postgres.ts';
import { statement } from '@parley/server/store/sql.ts';
import { Actor } from '@parley/testing';
import { Installation } from '@parley/testing/servers/installation.ts';
import { needs } from '@parley/testing/programs/needs.ts';
import { describeWithPostgres, startPostgres } from '@parley/testing/servers/postgres.ts';
import { startRedis } from '@parley/testing/servers/redis-server.ts';
import { createClient } from 'redis';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { addressReader } from '../../transport/addresses.ts';

const root = new URL('../../../../', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), 'utf8');
const withoutComments = (text: string) => text.replaceAll(/^\s*#.*$/gm, '');
/** The statements of an nginx or Caddy configuration, with single spaces. */
const statementsOf = (text: string) =>
  withoutComments(text)
    .split(/[;{}\n]/)
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter((line) => line !== '');

const HEARTBEAT_S = 25;
const drainMs = Number(/DRAIN_MS = ([\d_]+)/.exec(read('packages/server/start.ts'))?.[1]?.replaceAll('_', ''));
const port = /\bPORT=(\d+)/.exec(read('Dockerfile'))?.[1] ?? '';
const variables = new Set(
  read('.env.example')
    .match(/^#[A-Z_]+(?==)/gm)
    ?.map((name) => name.slice(1)),
);

interface ComposeService {
  image: string;
  build?: string;
  command?: string;
  environment?: Record<string, string>;
  ports?: string[];
  networks: string[];
  volumes?: string[];
  stop_grace_period?: string;
}
const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
  services: Record<string, ComposeService>;
  networks: Record<
    string,
    { internal?: boolean; enable_ipv6?: boolean; ipam?: { config: { subnet: string }[] } } | null
  >;
};
const nodes = Object.keys(compose.services).filter((name) => name.startsWith('node'));
const addresses = nodes.map((name) => `${name}:${port}`);
/** Replaces every variable with `secret`. */
const filledIn = (texts: Record<string, string>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.replaceAll(/\$\{.*?\}/g, 'secret')]));
/** How long a node keeps an idle connection. */
const keptMs = async () => {
  await using installation = new Installation();
  await installation.start();
  const { headers } = await fetch(`${installation.url}/healthz`);
  return Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1]) * 1_000;
};

test('DEPLOY-1: the image is built from the lockfile, contains no data of the machine that builds it, and runs the service unprivileged', () => {
  const dockerfile = withoutComments(read('Dockerfile'));
  const [, last = ''] = dockerfile.split(/^FROM debian/m);
  expect(dockerfile).not.toMatch(/npm (install|i)\b/);
  expect(dockerfile.match(/npm ci/g)).toHaveLength(2);
  // The root's own dependencies are only for tests and builds.
  expect(dockerfile).not.toContain('--include-workspace-root');
  expect(last).toMatch(/^USER parley$/m);
  expect(last).not.toMatch(/COPY (?!--from=build)/);
  const [, health = ''] = /HEALTHCHECK.*\\\n\s*CMD (.*)/.exec(last) ?? [];
  expect(JSON.parse(health)).toEqual(['node', '-e', expect.stringContaining('/readyz`')]);
  // The service must be the container's process: a shell around it would not pass SIGTERM on.
  const commands = [...last.matchAll(/^CMD (.*)$/gm)].map(([, command = '']) => JSON.parse(command) as string[]);
  expect(commands).toEqual([['node', 'packages/server/main.js']]);
  expect(existsSync(new URL('packages/server/main.js', root))).toBe(true);
  const ignored = read('.dockerignore').split('\n');
  const [tests, others] = [
    ['**/*.test.ts', '**/test'],
    ['.git', '.env', 'data', '**/secrets.key', '**/node_modules', '**/dist'],
  ];
  for (const name of [...tests, ...others]) expect(ignored).toContain(name);
});

test('DEPLOY-1: the image contains exactly the folders that the service reads', () => {
  const copied = [...read('Dockerfile').matchAll(/--from=build \/parley\/(\S+)/g)].map(([, folder]) => folder);
  const packages = ['guide/dist', 'markdown', 'office', 'protocol', 'server', 'web/dist'].map(
    (name) => `packages/${name}`,
  );
  expect(copied).toEqual(['package.json', 'node_modules', ...packages]);
  const manifest = JSON.parse(read('packages/server/package.json')) as { dependencies: Record<string, string> };
  const own = Object.keys(manifest.dependencies).filter((name) => name.startsWith('@parley/'));
  expect(own).toEqual(['@parley/markdown', '@parley/office', '@parley/protocol']);
});

test('DEPLOY-2: the compose file has three equal nodes, reachable only through the balancer, with time to drain', () => {
  const { services, networks } = compose;
  expect(nodes).toEqual(['node1', 'node2', 'node3']);
  const { build, ...common } = services['node1'] ?? {};
  expect(build).toBe('..');
  // Only one service builds the image: Docker with containerd's store refuses a second build with the same name.
  for (const name of nodes)
    expect(services[name]).toEqual({ ...common, volumes: [`${name}:/data`], ...(name === 'node1' && { build }) });
  const node = services['node1'];
  for (const name of Object.keys(node?.environment ?? {})) expect(variables).toContain(name);
  expect(Object.keys(node?.environment ?? {})).toEqual(
    expect.arrayContaining(['DATABASE_URL', 'REDIS_URL', 'SECRETS_KEY', 'PUBLIC_URL', 'TRUSTED_PROXIES']),
  );
  expect(Number.parseInt(node?.stop_grace_period ?? '', 10) * 1_000).toBeGreaterThan(drainMs);
  expect(Object.keys(services).filter((name) => services[name]?.ports)).toEqual(['balancer']);
  expect([services['postgres']?.networks, services['redis']?.networks]).toEqual([['back'], ['back']]);
  expect(networks['back']?.internal).toBe(true);

  // Only the balancer's network is trusted to forward addresses.
  const subnet = networks['front']?.ipam?.config[0]?.subnet;
  const trustedProxies = [node?.environment?.['TRUSTED_PROXIES'] ?? ''];
  expect(trustedProxies).toEqual([subnet]);
  expect(addressReader({ trustedProxies })).toBeTypeOf('function');
  // Clients over IPv6 keep their address too.
  expect(services['balancer']?.networks).toEqual(['edge', 'front']);
  expect(networks['edge']?.enable_ipv6).toBe(true);
});

test('DEPLOY-2: Redis keeps nothing, and Redis and PostgreSQL have the settings from docs/RUNNING.md', () => {
  const { redis, postgres } = compose.services;
  expect(redis?.volumes).toBeUndefined();
  const buffers = /client-output-buffer-limit (pubsub [^`]*)`/.exec(read('docs/RUNNING.md'))?.[1];
  expect(redis?.command).toContain('--save "" --appendonly no');
  expect(redis?.command).toContain(`--client-output-buffer-limit "${buffers}"`);
  expect(postgres?.command).toContain('max_locks_per_transaction=256');
  const { DATABASE_URL, REDIS_URL } = filledIn({ ...compose.services['node1']?.environment });
  expect([DATABASE_URL, REDIS_URL].map((url) => new URL(url ?? '').hostname)).toEqual(['postgres', 'redis']);
});

test(
  'DEPLOY-3: nginx passes sockets, addresses and bodies, has long time-outs, and retries no POST',
  { tags: ['long'] },
  async () => {
    const statements = statementsOf(read('deploy/nginx.conf'));
    const valuesOf = (name: string) =>
      statements.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
    const seconds = (name: string) => valuesOf(name).map((value) => Number.parseInt(value, 10));
    expect(valuesOf('server').map((line) => line.split(' ')[0])).toEqual(addresses);
    expect(valuesOf('proxy_http_version')).toEqual(['1.1']);
    expect(valuesOf('proxy_set_header')).toEqual(
      expect.arrayContaining([
        'Upgrade $http_upgrade',
        'Connection $connection_upgrade',
        'Host $http_host',
        'X-Forwarded-For $remote_addr',
        'X-Forwarded-Proto $scheme',
      ]),
    );
    for (const name of ['proxy_read_timeout', 'proxy_send_timeout'])
      expect(seconds(name)[0]).toBeGreaterThan(3 * HEARTBEAT_S);
    expect([...valuesOf('proxy_request_buffering'), ...valuesOf('proxy_buffering')]).toEqual(['off', 'off']);
    expect(Number(seconds('keepalive_timeout')[0]) * 1_000).toBeLessThan(await keptMs());
    expect(valuesOf('proxy_next_upstream')).toEqual(['error timeout', 'error timeout http_503']);
    // The default of MAX_FILE_BYTES, plus the form around the file.
    const most = Number(/^#MAX_FILE_BYTES=(\d+)$/m.exec(read('.env.example'))?.[1]);
    expect(Number(seconds('client_max_body_size')[0]) * 1_024 ** 2).toBeGreaterThan(most);
    expect(valuesOf('location')).toEqual(['= /metrics', '/', '= /api/ws']);
  },
);

test('DEPLOY-3: Caddy checks /readyz, buffers no body, and retries no POST', { tags: ['long'] }, async () => {
  const statements = statementsOf(read('deploy/Caddyfile'));
  expect(read('deploy/Caddyfile')).toContain(`reverse_proxy {$NODES:${addresses.join(' ')}} {`);
  expect(statements).toEqual(
    expect.arrayContaining([
      'health_uri /readyz',
      'health_status 200',
      'flush_interval -1',
      'respond /metrics 404',
      '0rtt off',
    ]),
  );
  // Without these settings Caddy retries only refused connections and GETs.
  expect(statements.filter((line) => /^(lb_retry_match|request_buffers|.*timeout 0)\b/.test(line))).toEqual([]);
  const keepalive = statements.find((line) => line.startsWith('keepalive '));
  expect(Number.parseInt(keepalive?.split(' ')[1] ?? '', 10) * 1_000).toBeLessThan(await keptMs());
  expect(compose.services['balancer']?.environment).toHaveProperty('PUBLIC_URL');
  expect(compose.services['balancer']?.volumes).toContain('./Caddyfile:/etc/caddy/Caddyfile:ro');
});

test('DEPLOY-5: nginx logs no query, no token of an invite or webhook, and no errors of requests', () => {
  const [ofNginx = '', ofRequests = ''] = withoutComments(read('deploy/nginx.conf')).split(/^http /m);
  const format = /log_format parley '([^']*)'/.exec(ofRequests)?.[1] ?? '';
  const named = [...format.matchAll(/\$(\w+)/g)].map(([, name]) => name);
  expect(named).toContain('logged_path');
  // The log contains none of the nginx variables that hold an address or a header.
  expect(named.filter((name = '') => /uri|args|request$|http_|arg_|cookie/.test(name))).toEqual([]);
  const [cut = ''] = /map \$uri \$logged_path \{[^}]*\}/.exec(ofRequests) ?? [];
  const shown = (path: string) =>
    [...cut.matchAll(/~(\S+) (\S+);/g)].find(([, pattern = '']) => new RegExp(pattern).test(path))?.[2] ?? path;
  for (const path of ['/join/abc', '//join/abc', '/join/abc/']) expect(shown(path)).toBe('/join/...');
  for (const path of ['/hooks/wh_abc', '//hooks/wh_abc/slack']) expect(shown(path)).toBe('/hooks/...');
  for (const path of ['/api/joinChat', '/assets/join-1.js']) expect(shown(path)).toBe(path);
  const logs = statementsOf(ofRequests).filter((line) => /^(access|error)_log /.test(line));
  expect(logs).toEqual(['access_log /var/log/nginx/access.log parley', 'error_log /var/log/nginx/error.log emerg']);
  expect(statementsOf(ofNginx)).toContain('error_log /var/log/nginx/error.log warn');
});

test('DEPLOY-5: Caddy logs failed requests without their addresses and headers', () => {
  const statements = statementsOf(read('deploy/Caddyfile'));
  expect(statements).toEqual(expect.arrayContaining(['request>uri delete', 'request>headers delete']));
  // The only `log` is the global one for all loggers; the site logs no requests.
  expect(statements.filter((line) => /^log\b/.test(line))).toEqual(['log']);
  expect(statements.indexOf('log')).toBeLessThan(statements.indexOf('respond /metrics 404'));
});

test('DEPLOY-6: images have exact versions, the same as in docs/RUNNING.md', () => {
  const others = Object.values(compose.services).flatMap(({ image }) => (image === 'parley' ? [] : [image]));
  const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
  for (const image of [...others, ...bases]) expect(image).toMatch(/:(?:\d+\.\d+(?:\.\d+)?|bookworm-\d{8})-[\w]+/);
  const [, listed = ''] = /^for image in (.*); do$/m.exec(read('docs/RUNNING.md')) ?? [];
  expect(listed.split(' ').toSorted()).toEqual([...others, ...bases].toSorted());
});

describeWithPostgres('PostgreSQL as the compose file sets it up', () => {
  test(
    'DEPLOY-6: the service runs as a role that reads no files, starts no programs and makes no roles',
    { ...needs('redis'), tags: ['program', 'long'] },
    async () => {
      const superuser = 'parley'; // the superuser of the tests' server
      const server = await startPostgres();
      await using installation = new Installation();
      try {
        const psql = read('deploy/postgres-init.sql');
        expect(psql).toContain('\\getenv password PARLEY_PASSWORD\n');
        expect(Object.keys(compose.services['postgres']?.environment ?? {})).toContain('PARLEY_PASSWORD');
        const statements = psql
          .replaceAll(/^(--|\\getenv).*$/gm, '')
          .replaceAll(":'password'", "'secret'")
          .replaceAll(/\bparley\b/g, 'service')
          .split(';')
          .filter((text) => text.trim() !== '');
        const admin = await PostgresConnection.open({ url: server.url('postgres') });
        // One by one, as psql sends them: CREATE DATABASE cannot run in a transaction.
        for (const statement of statements) await admin.exec(statement);
        const hasPassword = statement<{ name: string }>(
          'SELECT rolname AS name FROM pg_authid WHERE rolpassword IS NOT NULL',
        );
        expect(await admin.all(hasPassword)).toEqual([{ name: 'service' }]);
        await admin.close();

        const url = server.url('service').replace(`//${superuser}@`, '//service:secret@');
        const service = await PostgresConnection.open({ url });
        for (const attack of [
          "COPY (SELECT 1) TO PROGRAM 'id'",
          "SELECT pg_read_file('postgresql.conf')",
          'CREATE ROLE another SUPERUSER',
          'CREATE DATABASE another',
          `ALTER ROLE ${superuser} PASSWORD 'known'`,
        ])
          await expect(service.exec(attack), attack).rejects.toThrow(/permission denied|must be superuser/);
        await service.close();

        await using redis = await startRedis({ password: 'carried' });
        const shared = { DATABASE_URL: url, SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') };
        const outsider = connect(redis.port, '127.0.0.1');
        outsider.setEncoding('utf8').write('PING\r\n');
        expect(await once(outsider, 'data')).toEqual([expect.stringMatching(/^-NOAUTH /)]);
        outsider.destroy();

        await installation.start({ ...shared, REDIS_URL: redis.url });
        const insider = await createClient({ url: redis.url }).connect();
        expect(await insider.sendCommand(['PUBSUB', 'CHANNELS'])).not.toEqual([]);
        await insider.close();
        const ann = new Actor(installation, 'ann', 'dev:ann');
        const { id: chat_id } = await ann.api.startChat({ username: 'ann' });
        expect(await ann.api.sendMessage({ chat_id, text: 'hello' })).toMatchObject({ content: 'hello' });
      } finally {
        await installation.stop();
        await server.stop();
      }
    },
  );
});

test('DEPLOY-6: the nodes and the health check of Redis know its password', () => {
  const { redis, node1 } = compose.services;
  const {
    command = '',
    REDISCLI_AUTH,
    REDIS_URL,
  } = filledIn({ command: redis?.command ?? '', ...redis?.environment, ...node1?.environment });
  expect(command).toMatch(/ --requirepass secret$/);
  expect(REDISCLI_AUTH).toBe('secret');
  expect(new URL(REDIS_URL ?? '').password).toBe('secret');
});

test('DEPLOY-4: every variable, file and command that docs/RUNNING.md names exists', async () => {
  const page = read('docs/RUNNING.md');
  for (const [, file = ''] of page.matchAll(/\]\(\.\.\/([^)#]+)\)/g))
    expect([file, existsSync(new URL(file, root))]).toEqual([file, true]);
  const asked = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  const known = new Set([...variables, ...asked]);
  for (const [, name = ''] of page.matchAll(/\b([A-Z]+(?:_[A-Z]+)+)\b(?!\/)/g)) expect(known).toContain(name);
  await using installation = new Installation();
  const { out } = await installation.admin('--help');
  for (const [, command = ''] of page.matchAll(/npm run admin -- ([a-z-]+)/g)) expect(out).toContain(`  ${command} `);
});
