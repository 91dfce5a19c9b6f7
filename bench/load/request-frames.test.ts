import { expect, test } from 'vitest';
import { AppendRequests, appendRequest, clientFrame, SendRequests } from './request-frames.ts';

interface Request {
  id: number;
  params: Record<string, unknown>;
}

function payloadOf(frame: Buffer): Request {
  const short = (frame[1] ?? 0) & 127;
  const headerBytes = short === 126 ? 8 : 6;
  const mask = frame.subarray(headerBytes - 4, headerBytes);
  const bytes = frame.subarray(headerBytes).map((byte, index) => byte ^ (mask[index & 3] ?? 0));
  const request: Request = JSON.parse(Buffer.from(bytes).toString());
  return request;
}

test('a frame is masked and contains its text', () => {
  expect(payloadOf(clientFrame('{"text":"é"}'))).toEqual({ text: 'é' });
  expect(payloadOf(clientFrame(`{"text":"${'a'.repeat(1_000)}"}`))).toEqual({ text: 'a'.repeat(1_000) });
});

test('each send has its own ids', () => {
  const requests = new SendRequests('c1', 'hello "there"');
  const [first, second] = [payloadOf(requests.next()), payloadOf(requests.next())];
  const ids = [first, second].map((request) => request.id);
  expect(ids[1]).toBe((ids[0] ?? 0) + 1);
  expect(first).toEqual({
    id: ids[0],
    method: 'messages.send',
    params: {
      conversation_id: 'c1',
      client_msg_id: expect.stringMatching(new RegExp(`^[0-9a-f]{8}${ids[0]}$`)),
      content: 'hello "there"',
    },
  });
});

test('reasoning grows as a part, beside the text and with an offset of its own', () => {
  const given = (['text', 'reasoning', 'text', 'reasoning'] as const).map(
    (growing) => payloadOf(appendRequest('s3', 'été', growing)).params,
  );
  const thought = { id: '1', type: 'reasoning', append: 'été' };
  expect(given).toEqual([
    { message_id: 's3', delta: 'été', offset: 5 },
    { message_id: 's3', part: { ...thought, text_offset: 5 } },
    { message_id: 's3', delta: 'été', offset: 10 },
    { message_id: 's3', part: { ...thought, text_offset: 10 } },
  ]);
});

function offsets(requests: AppendRequests, count: number): string[] {
  return Array.from({ length: count }, () => {
    const { params } = payloadOf(requests.next());
    return `${String(params.message_id)} ${String(params.offset)}`;
  });
}

test('appends rotate through the streams, and offsets continue across sources', () => {
  expect(offsets(new AppendRequests(['s1', 's2'], 'été'), 3)).toEqual(['s1 5', 's2 5', 's1 10']);
  expect(offsets(new AppendRequests(['s1', 's2'], 'x'), 2)).toEqual(['s1 11', 's2 6']);
});
