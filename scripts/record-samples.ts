import { existsSync, writeFileSync } from 'node:fs';
import { keepCompiledCode } from '@parley/server/core/compiled-code.ts';

// Records the samples of the published documents: real calls of a real service, with secrets masked. `npm ci` runs it.

const file = new URL('../packages/protocol/samples.json', import.meta.url);
// The service that is recorded imports the file too.
if (!existsSync(file)) writeFileSync(file, '{ "operations": {}, "events": {}, "errors": {}, "socket": {} }\n');
keepCompiledCode();
const { recordSamples } = await import('./samples/record.ts');
writeFileSync(file, `${JSON.stringify(await recordSamples(), null, 2)}\n`);
