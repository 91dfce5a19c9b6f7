import { afterEach, expect, test, vi } from 'vitest';
import { fileBytes, wholeFile } from './file-bytes.ts';

afterEach(() => vi.unstubAllGlobals());

const { signal } = new AbortController();

/** A file of a service that answers like this, one request after another. */
function served(answers: Response[], size?: number) {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers }: RequestInit) => {
    asked.push([url, headers]);
    return answers.shift();
  });
  return { source: { url: '/files/1?s=old', size, refresh: async () => '/files/1?s=new' }, asked };
}

/** Loads at most 8 bytes of it. */
async function load(...answers: Response[]) {
  const { source, asked } = served(answers);
  const loaded = fileBytes(source, 8, signal).then(({ bytes, isCut }) => {
    expect(bytes.buffer.byteLength).toBe(bytes.length);
    return { text: new TextDecoder().decode(bytes), isCut };
  });
  return { loaded: await loaded.catch((error: Error) => error.message), asked };
}

const part = (text: string, range: string) => new Response(text, { status: 206, headers: { 'content-range': range } });
const range = { range: 'bytes=0-7' };

test('WEB-395, WEB-400: the app asks for no more of a file than it shows, and knows whether the file goes on', async () => {
  const cut = await load(part('12345678', 'bytes 0-7/9'));
  expect(cut).toEqual({ loaded: { text: '12345678', isCut: true }, asked: [['/files/1?s=old', range]] });
  const whole = await load(part('12345678', 'bytes 0-7/8'));
  expect(whole.loaded).toEqual({ text: '12345678', isCut: false });
});

test('WEB-395, WEB-400: the app stops reading a response that is larger than it asked for', async () => {
  let isCancelled = false;
  const endless = new ReadableStream({
    pull: (stream) => stream.enqueue(new TextEncoder().encode('12345')),
    cancel: () => void (isCancelled = true),
  });
  expect((await load(new Response(endless))).loaded).toEqual({ text: '12345123', isCut: true });
  expect(isCancelled).toBe(true);
});

test('WEB-395: an expired address is replaced once, and no other failure asks for an address', async () => {
  const expired = () => new Response('', { status: 403 });
  const again = await load(expired(), new Response('here'));
  expect(again).toEqual({
    loaded: { text: 'here', isCut: false },
    asked: [
      ['/files/1?s=old', range],
      ['/files/1?s=new', range],
    ],
  });
  expect((await load(expired(), expired())).loaded).toBe('the file is not available: 403');
  const gone = await load(new Response('', { status: 404 }));
  expect([gone.loaded, gone.asked.length]).toEqual(['the file is not available: 404', 1]);
});

test('WEB-395: a file without bytes is empty', async () => {
  const empty = new Response('', { status: 416, headers: { 'content-range': 'bytes */0' } });
  const { loaded, asked } = await load(empty);
  expect([loaded, asked.length]).toEqual([{ text: '', isCut: false }, 1]);
});

test('WEB-400, WEB-451: a file that is too large is not loaded if the message says its size', async () => {
  const whole = async (answers: Response[], size?: number) => {
    const { source, asked } = served(answers, size);
    return [await (await wholeFile(source, 8, signal))?.text(), asked.length];
  };
  expect(await whole([], 9)).toEqual([undefined, 0]);
  expect(await whole([part('12345678', 'bytes 0-7/9')])).toEqual([undefined, 1]);
  // The sender of a message may claim any size.
  expect(await whole([part('12345678', 'bytes 0-7/9')], 3)).toEqual([undefined, 1]);
  expect(await whole([new Response('12345678')], 8)).toEqual(['12345678', 1]);
});
