import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import { Failure, Misuse } from './failure.ts';

export interface Terminal {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stderr: { write(text: string): unknown };
}

/** Reads a password from a pipe, or asks for it twice on the terminal without showing it. */
export async function readPassword({ stdin, stderr }: Terminal, isPiped: boolean): Promise<string> {
  if (isPiped) return (await text(stdin)).replace(/\r?\n$/, '');
  if (stdin.isTTY !== true) throw new Misuse('there is no terminal to ask for the password: use --password-stdin');
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silence, terminal: true });
  const given = new AbortController();
  lines.once('SIGINT', () => lines.close());
  lines.once('close', () => given.abort());
  const ask = async (question: string): Promise<string> => {
    stderr.write(question);
    try {
      return await lines.question('', { signal: given.signal });
    } catch (error) {
      throw new Failure('no password was given', { cause: error });
    } finally {
      stderr.write('\n');
    }
  };
  try {
    const password = await ask('Password: ');
    if ((await ask('Once more: ')) !== password) throw new Failure('the two passwords differ');
    return password;
  } finally {
    lines.close();
  }
}
