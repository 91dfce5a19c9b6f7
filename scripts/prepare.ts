import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

// Makes what `npm ci` makes beside node_modules: the pages that the service serves, the samples in its documents (API-5),
// and the bundled, compiled code for its first start (OPS-4). The two rows run at the same time. The service whose answers
// are the samples reads the guide's list of pages when it starts, so the guide is built before, in the same row. It reads
// files of the app only when a client asks for them, so the app may be half-built. The bundle holds the samples.

const root = fileURLToPath(new URL('..', import.meta.url));
const rows = [
  ['npm run build --workspace packages/web'],
  [
    'npm run build --workspace packages/guide',
    'npm run samples',
    'node scripts/bundle-service.ts',
    'node packages/server/compile.ts',
  ],
];

async function runAll(commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    // A shell finds npm on Windows too.
    const child = spawn(command, { cwd: root, shell: true, stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${command} has failed`);
  }
}

// A row that fails does not leave the other one running behind npm.
const ends = await Promise.allSettled(rows.map(runAll));
for (const end of ends) if (end.status === 'rejected') throw end.reason;
