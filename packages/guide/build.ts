import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeSite } from './site.ts';

const { values, positionals } = parseArgs({ options: { service: { type: 'string' } }, allowPositionals: true });
const folder = positionals[0] === undefined ? join(import.meta.dirname, 'dist') : resolve(positionals[0]);
const { files, missing } = await makeSite(
  join(import.meta.dirname, '../..'),
  `${values.service?.replace(/\/$/, '') ?? ''}/docs`,
);
// A folder that the caller names may hold other files too.
if (positionals[0] === undefined) rmSync(folder, { recursive: true, force: true });
for (const [address, content] of files) {
  mkdirSync(dirname(join(folder, address)), { recursive: true });
  writeFileSync(join(folder, address), content);
}
for (const link of missing) process.stderr.write(`a link that leads nowhere: ${link}\n`);
