import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { readVapid } from '@parley/server/push/push-config.ts';
import { startFakeProviders } from '@parley/testing';
import { needs } from '@parley/testing/programs/needs.ts';
import { use } from '@parley/testing/programs/programs.ts';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The tour's commands as a reader would paste them: all blocks in order, in one shell. */
function tour(): string {
  const [section = ''] = /^## A tour[^]*?(?=^## )/m.exec(readme) ?? [];
  return [...section.matchAll(/^```bash\n([^]*?)^```$/gm)].map(([, block]) => block).join('\n');
}

/** Resolves with the address in the service's `ready` line. */
async function ready(service: ChildProcess): Promise<string> {
  if (!service.stdout) throw new Error('its output is a pipe');
  for await (const line of createInterface(service.stdout)) {
    const { msg, url }: { msg?: unknown; url?: unknown } = JSON.parse(line);
    if (msg === 'ready') return String(url);
  }
  throw new Error('the service ended before it was ready');
}

async function run(shell: string, env: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
  const bash = spawn(use('bash'), ['-euo', 'pipefail', '-c', shell], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [bash.stdout, bash.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(bash, 'close');
  return { code, output };
}

/** Texts that the tour prints, in this order. */
const places = [
  'I’m the guide to Parley',
  '[events.messageComplete] complete',
  '[stopRun]',
  '[events.messageComplete] cancelled stopped',
  'has no API key yet',
  '[events.messageComplete] failed no_key',
  '"key_tail":"••••ours"',
  '[events.messageComplete] failed refused_key',
  '[events.alert] The reply of Claude of Ann failed',
  '"offset":25',
  'I am four lines of shell.',
  '"method":"events.messageComplete"',
];

test(
  'API-8: the tour of the README works as printed, without any key, and a second time on the same service',
  { ...needs('bash', 'curl'), timeout: 90_000 },
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-tour-'));
    const providers = await startFakeProviders(); // no key is valid there, so they refuse the tour's placeholder
    const env = { PATH: `${dirname(use('curl'))}${delimiter}${process.env.PATH}`, HOME: dataDir };
    const service = spawn(process.execPath, [join(root, 'packages/server/main.ts')], {
      cwd: dataDir,
      env: { ...env, ...providers.env, PORT: '0', DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const url = await ready(service);
      for (const time of ['first', 'second']) {
        const { code, output } = await run(tour(), { ...env, URL: url });
        let from = 0;
        for (const place of places) {
          const at = output.indexOf(place, from);
          expect(at, `${time} run: ${place} after\n${output.slice(0, from)}…\nin\n${output}`).toBeGreaterThanOrEqual(0);
          from = at + place.length;
        }
        expect(output, time).not.toContain('"ok":false');
        expect(code, time).toBe(0);
      }
    } finally {
      if (service.exitCode === null) {
        service.kill('SIGTERM');
        await once(service, 'exit');
      }
      await providers.close();
      rmSync(dataDir, { recursive: true });
    }
  },
);

test('API-8: a refused step of the tour prints the error, and `field` returns nothing', needs('bash'), async () => {
  const [prelude = ''] = tour().split('TOKEN=$(');
  const refused = `echo '{"ok":false,"error_code":"conflict","description":"taken"}'`;
  const { code, output } = await run(`${prelude}\nTOKEN=$(${refused} | field token) || echo "none: [$TOKEN]"`, {
    PATH: process.env.PATH,
  });
  expect(output).toBe('{"ok":false,"error_code":"conflict","description":"taken"}\nnone: []\n');
  expect(code).toBe(0);
});

test('NOTIF-15: the README’s command prints Web Push keys that the service accepts', needs('bash'), async () => {
  const [section = ''] = /^## Notifications[^]*?(?=^## )/m.exec(readme) ?? [];
  const [, command = ''] = /^```bash\n([^]*?)^```$/m.exec(section) ?? [];
  const { code, output } = await run(`cd ${root}\n${command}`, { PATH: process.env.PATH });
  expect(code).toBe(0);
  const values = parseEnv(output);
  expect(Object.keys(values)).toEqual(['VAPID_PRIVATE_PEM_BASE64', 'VAPID_PUBLIC_KEY', 'VAPID_SUBJECT']);
  expect(readVapid((name) => values[name])).toMatchObject({ publicKey: values['VAPID_PUBLIC_KEY'] });
});

test('the README has the two commands that install and start the service', () => {
  expect(readme).toContain('```sh\nnpm ci && npm start\n```');
  expect(readme).toContain('```sh\nnpm ci && npm test\n```');
});
