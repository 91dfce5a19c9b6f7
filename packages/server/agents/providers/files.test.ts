import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { startFakeProviders, type FakeProviders, type ReplyScript } from '@parley/testing/providers/fake-providers.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MessageFile } from '../../rules/context-files.ts';
import { anthropicProvider } from './anthropic.ts';
import { type Downgrade, openaiProvider } from './openai.ts';
import type { AgentProvider, ProviderEvent, ProviderRequest } from './provider.ts';
import { withoutRefusedFiles } from './without-refused-files.ts';

let fakes: FakeProviders;
beforeAll(async () => {
  fakes = await startFakeProviders();
});
afterAll(() => fakes.close());

const bytes = Buffer.from('the bytes of a file');
const data = Buffer.from(bytes.toString('base64'));
const image: MessageFile = {
  type: 'image',
  mimeType: 'image/jpeg',
  name: 'a.png',
  data,
  tokens: 9,
  instead: '\n[photo: a.png, not included: this model takes no images]',
};
const document: MessageFile = {
  type: 'document',
  mimeType: 'application/pdf',
  name: 'b.pdf',
  data,
  tokens: 9,
  instead: '\n[text of the file "b.pdf"]\n```\nB\n```',
};

const group = (apiKey: string): ProviderRequest => ({
  apiKey,
  model: 'm',
  messages: [
    { role: 'user', from: 'ann', text: 'Ann (@ann): [photo: a.png]', files: [image] },
    { role: 'user', from: 'bob', text: 'Bob (@bob): [file: b.pdf]', files: [document] },
    { role: 'assistant', text: 'I see' },
    { role: 'user', from: 'ann', text: 'Ann (@ann): And?' },
  ],
});
const direct = (apiKey: string): ProviderRequest => ({
  apiKey,
  model: 'm',
  messages: [
    { role: 'user', text: 'Look\n[photo: a.png]', files: [image] },
    { role: 'user', text: 'Well?' },
  ],
});

const vendors = {
  a: () => anthropicProvider({ clock: new ManualClock(), baseUrl: fakes.urlA }),
  b: () => openaiProvider({ clock: new ManualClock(), baseUrl: fakes.urlB }),
} as const;
const ask = (provider: AgentProvider, request: ProviderRequest): Promise<ProviderEvent[]> =>
  Array.fromAsync(provider.stream(request, new AbortController().signal));
const bodies = (key: string) => fakes.requestsOf(key).map(({ body }) => body['messages']);
const text = (content: string) => ({ type: 'text', text: content });

test('PROVIDER-18: provider_a gets images and documents as blocks behind the text of their message', async () => {
  fakes.script('files-a', { chunks: ['ok'] });
  await ask(vendors.a(), group('files-a'));
  await ask(vendors.a(), direct('files-a'));
  const source = (media_type: string) => ({ type: 'base64', media_type, data: data.toString() });
  const picture = { type: 'image', source: source('image/jpeg') };
  expect(bodies('files-a')).toEqual([
    [
      {
        role: 'user',
        content: [
          text('Ann (@ann): [photo: a.png]'),
          picture,
          text('Bob (@bob): [file: b.pdf]'),
          { type: 'document', source: source('application/pdf'), title: 'b.pdf' },
        ],
      },
      { role: 'assistant', content: 'I see' },
      { role: 'user', content: 'Ann (@ann): And?' },
    ],
    [{ role: 'user', content: [text('Look\n[photo: a.png]'), picture, text('Well?')] }],
  ]);
});

const picture = { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${data.toString()}` } };
const paper = {
  type: 'file',
  file: { filename: 'b.pdf', file_data: `data:application/pdf;base64,${data.toString()}` },
};

test('PROVIDER-18: provider_b gets them as parts of the message, with its sender’s name', async () => {
  fakes.script('files-b', { chunks: ['ok'] });
  await ask(vendors.b(), group('files-b'));
  await ask(vendors.b(), direct('files-b'));
  expect(bodies('files-b')).toEqual([
    [
      { role: 'user', name: 'ann', content: [text('Ann (@ann): [photo: a.png]'), picture] },
      { role: 'user', name: 'bob', content: [text('Bob (@bob): [file: b.pdf]'), paper] },
      { role: 'assistant', content: 'I see' },
      { role: 'user', name: 'ann', content: 'Ann (@ann): And?' },
    ],
    [{ role: 'user', content: [text('Look\n[photo: a.png]'), picture, text('Well?')] }],
  ]);
});

test('PROVIDER-17, PROVIDER-18: a server that takes one entry per turn gets its files between the texts', async () => {
  fakes.script('files-turns', ({ body }) =>
    JSON.stringify(body['messages']).includes('"name"')
      ? { status: 422, message: 'messages.0.name: Extra inputs are not permitted' }
      : { chunks: ['ok'] },
  );
  await ask(vendors.b(), group('files-turns'));
  expect(bodies('files-turns').at(-1)).toEqual([
    {
      role: 'user',
      content: [text('Ann (@ann): [photo: a.png]'), picture, text('Bob (@bob): [file: b.pdf]'), paper],
    },
    { role: 'assistant', content: 'I see' },
    { role: 'user', content: 'Ann (@ann): And?' },
  ]);
});

/** A key without words of the message: errors are cleaned of parts of the key. */
const keyOf = (message: string): string => `k${Buffer.from(message).toString('hex')}`;
const hasFiles = (messages: unknown): boolean => /image_url|"type":"(?:image|document)"/.test(JSON.stringify(messages));
const refusing =
  (script: ReplyScript) =>
  ({ body }: { body: Readonly<Record<string, unknown>> }): ReplyScript =>
    hasFiles(body['messages']) ? script : { chunks: ['ok'] };

/** Answers of real servers whose model takes no images. */
const blind = [
  ['a', 400, "'claude-2.1' does not support image input."],
  ['b', 400, 'Invalid content type. image_url is only supported by certain models.'],
  ['b', 400, 'm is not a multimodal model'],
  ['b', 500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
  ['b', 404, 'No endpoints found that support image input'],
  ['b', 422, 'messages[0]: unknown variant `image_url`, expected `text`'],
  ['b', 400, 'this model is missing data required for image input'],
  ['b', 400, "'messages.0.content' must be a string"],
] as const;

test.each(blind)(
  'PROVIDER-19: a model of provider_%s that takes no images (%i, %s) is asked without them, from then on too',
  async (vendor, status, message) => {
    const key = keyOf(message);
    fakes.script(key, refusing({ status, message }));
    const downgrades: Downgrade[] = [];
    const provider = withoutRefusedFiles(vendors[vendor](), (downgrade) => downgrades.push(downgrade));
    for (let round = 0; round < 2; round += 1) {
      const events = await ask(provider, group(key));
      expect(events[0]).toEqual({ type: 'unseen', files: [image, document] });
      expect(events.at(-1)).toEqual({ type: 'end', reason: 'stop' });
    }
    expect(bodies(key).map(hasFiles)).toEqual([true, false, false]);
    expect(downgrades).toEqual([{ model: 'm', leftOut: 'files' }]);
    const said = JSON.stringify(bodies(key).at(-1));
    for (const { instead } of [image, document]) expect(said).toContain(JSON.stringify(instead).slice(1, -1));
    // Another model of the server is not affected.
    await ask(provider, { ...group(key), model: 'other' });
    expect(bodies(key).map(hasFiles)).toEqual([true, false, false, true, false]);
  },
);

test.each([
  ['a', 400, 'Could not process image'],
  ['a', 413, 'Request exceeds the maximum size'],
  ['a', 400, 'prompt is too long: 210000 tokens > 200000 maximum'],
  ['b', 400, 'You uploaded an unsupported image. Please make sure your image has one of the following formats'],
  ['b', 400, 'At most 1 image(s) may be provided in one request. This model does not support more than 1.'],
  ['b', 400, "This model's maximum context length is 4096 tokens"],
  ['b', 400, 'no'],
] as const)(
  'PROVIDER-19: if provider_%s refuses these files (%i, %s), only this request is repeated without them',
  async (vendor, status, message) => {
    const key = keyOf(message);
    fakes.script(key, refusing({ status, message }));
    const provider = withoutRefusedFiles(vendors[vendor]());
    expect((await ask(provider, direct(key)))[0]).toEqual({ type: 'unseen', files: [image] });
    fakes.script(key, { chunks: ['ok'] });
    expect((await ask(provider, direct(key))).map(({ type }) => type)).not.toContain('unseen');
    expect(hasFiles(bodies(key).at(-1))).toBe(true);
  },
);

test('PROVIDER-19: a request that is refused without its files too fails with the first refusal, which is not repeated for other errors', async () => {
  fakes.script('files-bad', { status: 400, message: 'bad image' }, { status: 400, message: 'still bad' });
  const provider = withoutRefusedFiles(vendors.a());
  await expect(ask(provider, direct('files-bad'))).rejects.toMatchObject({
    kind: 'bad_request',
    message: expect.stringContaining('bad image'),
  });
  expect(bodies('files-bad')).toHaveLength(2);
  for (const [status, message] of [
    [401, 'no image for this key'],
    [429, 'too many images'],
    [529, 'Overloaded'],
    [400, 'temperature: range 0..1'],
  ] as const) {
    const key = `files-${status}`;
    fakes.script(key, { status, message });
    await expect(ask(provider, direct(key))).rejects.toThrow();
    expect(bodies(key)).toHaveLength(1);
  }
});

test('PROVIDER-19: a request without files is sent once, whatever its refusal names', async () => {
  fakes.script('files-none', { status: 400, message: 'image input is not supported' });
  const request = { ...direct('files-none'), messages: [{ role: 'user', text: 'Hi' }] as const };
  await expect(
    ask(withoutRefusedFiles(vendors.a()), { ...request, messages: [...request.messages] }),
  ).rejects.toThrow();
  expect(bodies('files-none')).toHaveLength(1);
});
