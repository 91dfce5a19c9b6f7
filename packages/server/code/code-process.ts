// The process that runs what a model has written. It runs one piece of code and ends. What it knows is that code and the
// files that were given with it: it has no secrets, no environment, no network and no files (CODE-2).
import { frameOf, readFrame } from './frames.ts';
import { runInSandbox } from './sandbox.ts';

/** The first byte of the answer says that the process has started. */
process.stdout.write(Buffer.of(1));

const pieces: Buffer[] = [];
for await (const piece of process.stdin) pieces.push(piece as Buffer); // no encoding is set
const { facts, files } = readFrame(Buffer.concat(pieces));
const { files: saved, ...ended } = await runInSandbox(
  { code: String(facts['code']), files: files.map(({ words, ...file }) => ({ ...file, text: words })) },
  Number(facts['runMs']),
);
const answer = frameOf(
  ended,
  saved.map(({ alt, ...file }) => ({ ...file, words: alt })),
);
process.stdout.write(Buffer.concat(answer), () => process.exit());
