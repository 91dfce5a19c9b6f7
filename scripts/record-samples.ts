import { writeFileSync } from 'node:fs';
import { recordSamples } from './samples/record.ts';

// Writes down anew what the published documents show: real calls of a real service, without their secrets.

const file = new URL('../packages/protocol/samples.json', import.meta.url);
const samples = await recordSamples();
writeFileSync(file, `${JSON.stringify(samples, null, 2)}\n`);
process.stdout.write(
  `${Object.keys(samples.operations).length} operations, ${Object.keys(samples.events).length} events\n`,
);
