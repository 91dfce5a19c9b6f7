import { writeFileSync } from 'node:fs';
import { recordSamples } from './samples/record.ts';

// Records the samples of the published documents: real calls of a real service, with secrets masked.

const file = new URL('../packages/protocol/samples.json', import.meta.url);
const samples = await recordSamples();
writeFileSync(file, `${JSON.stringify(samples, null, 2)}\n`);
process.stdout.write(
  `${Object.keys(samples.operations).length} operations, ${Object.keys(samples.events).length} events\n`,
);
