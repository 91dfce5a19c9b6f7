import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DeadLinkError, makeSite } from './site.ts';

const { values, positionals } = parseArgs({ options: { service: { type: 'string' } }, allowPositionals: true });
// npm runs scripts in the root of the repository; INIT_CWD is where the caller is.
const given = positionals[0] === undefined ? undefined : resolve(process.env['INIT_CWD'] ?? '.', positionals[0]);
const folder = given ?? join(import.meta.dirname, 'dist');
const api = `${values.service?.replace(/\/$/, '') ?? ''}/docs`;
try {
  const { files } = await makeSite(join(import.meta.dirname, '../..'), api);
  // A folder that the caller names may hold other files too.
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
  for (const [address, content] of files) {
    mkdirSync(dirname(join(folder, address)), { recursive: true });
    writeFileSync(join(folder, address), content);
  }
} catch (error) {
  if (!(error instanceof DeadLinkError)) throw error;
  process.stderr.write(`the guide is not built: ${error.message}\n`);
  process.exitCode = 1;
}
