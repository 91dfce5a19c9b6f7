import { renameSync, writeFileSync } from 'node:fs';
import { keepCompiledCode } from '@parley/server/core/compiled-code.ts';

// Records the samples of the published documents: real calls of a real service, with secrets masked. `npm ci` runs it.

const file = new URL('../packages/protocol/samples.json', import.meta.url);
const written = new URL('samples.json.new', file);
keepCompiledCode();
const { recordSamples } = await import('./samples/record.ts');
writeFileSync(written, `${JSON.stringify(await recordSamples(), null, 2)}\n`);
// A service that starts meanwhile reads the former samples, or these.
renameSync(written, file);
