import type { Message } from '@parley/protocol';
import { settled, StillClock } from '@parley/testing/sdk/fake-service.ts';
import { expect, test } from 'vitest';
import { ApiError } from '../api.ts';
import { ConnectionError } from '../requests.ts';
import type { Bot } from './bot.ts';
import { persist } from './retries.ts';
import { ReplyStream } from './reply-stream.ts';
import { UnexplainedStop } from './unexplained-stop.ts';

type Answer = (params: Record<string, unknown>) => unknown;
const message = { id: 'reply', content_revision: 1, status: 'streaming' } as Message; // the fields that are read
const refusal = (status: number, error_code: 'conflict' | 'unavailable' | 'not_found', parameters = {}): ApiError =>
  new ApiError(status, { error_code, description: 'no', parameters });

/** A fake service. */
function service(answers: Record<string, Answer>) {
  const calls: [name: string, params: Record<string, unknown>][] = [];
  const call = async (name: string, params: Record<string, unknown>): Promise<unknown> => {
    calls.push([name, params]);
    return answers[name]?.(params);
  };
  // Complete for the operations that these tests use.
  return { calls, client: { call, state: 'live' } as unknown as Bot['client'] };
}

function reply(answers: Record<string, Answer>, isDoubtful = false) {
  const clock = new StillClock();
  const { calls, client } = service(answers);
  const reported: string[] = [];
  const stream = new ReplyStream({
    client,
    clock,
    random: () => 0.5,
    message,
    isDoubtful,
    onCancelRequested: () => void reported.push('cancel'),
    onOver: () => void reported.push('over'),
  });
  return { clock, calls, reported, stream };
}

const never = new AbortController().signal;
const taken = { cancel_requested: false, offset: 0, content_revision: 2 };

test('BOTSDK-12: an idle reply sends an empty append every 20 s, which reports a stop and the end', async () => {
  let answer: Answer = () => taken;
  const { clock, calls, reported, stream } = reply({ appendMessageStream: (params) => answer(params) });
  await clock.advance(60_000);
  expect(calls).toEqual(
    Array.from({ length: 3 }, () => ['appendMessageStream', { message_id: 'reply', delta: '', offset: 0 }]),
  );
  answer = () => ({ ...taken, cancel_requested: true });
  await clock.advance(20_000);
  expect(reported).toEqual(['cancel']);
  answer = () => {
    throw refusal(409, 'conflict');
  };
  await clock.advance(20_000);
  expect([reported, stream.isOver, clock.pending]).toEqual([['cancel', 'over'], true, 0]);
});

test('BOTSDK-5: the first text is sent immediately, later text is batched for 50 ms', async () => {
  const { clock, calls, stream } = reply({ appendMessageStream: () => taken, finishMessageStream: () => message });
  const chunks = ['a', 'b', 'c'];
  const done = stream.take(chunks, never);
  await settled();
  await clock.advance(49);
  expect(calls.map(([, params]) => params['delta'])).toEqual(['a']);
  await clock.advance(1);
  expect(calls.map(([, params]) => params['delta'])).toEqual(['a', 'bc']);
  await done;
  await stream.finish('complete');
  expect(calls.at(-1)).toEqual(['finishMessageStream', { message_id: 'reply', status: 'complete', text: 'abc' }]);
});

test('BOTSDK-6: text that did not reach the service is sent again at the same offset', async () => {
  let failures = 3;
  const { clock, calls, stream } = reply({
    appendMessageStream: () => {
      failures -= 1;
      if (failures === 1) throw refusal(503, 'unavailable', { retry_after: 2 });
      if (failures >= 0) throw new ConnectionError('the connection broke');
      return taken;
    },
    finishMessageStream: () => message,
  });
  await stream.take(['text'], never);
  await clock.advance(10_000);
  expect(calls).toEqual(
    Array.from({ length: 4 }, () => ['appendMessageStream', { message_id: 'reply', delta: 'text', offset: 4 }]),
  );
});

test('BOTSDK-6: if the answer to finishMessageStream is lost, the retry resolves to the ended reply', async () => {
  let attempts = 0;
  const { clock, stream } = reply({
    finishMessageStream: () => {
      attempts += 1;
      throw attempts === 1 ? new ConnectionError('the connection broke') : refusal(409, 'conflict');
    },
    getMessages: () => ({ items: [{ ...message, status: 'complete' }] }),
  });
  const ended = stream.finish('complete');
  await settled();
  await clock.advance(1_000);
  expect(await ended).toMatchObject({ status: 'complete' });
});

test('BOTSDK-3: a reply that contains text of another daemon is left to that daemon', async () => {
  const { calls, reported, stream } = reply(
    {
      appendMessageStream: () => {
        throw refusal(409, 'conflict', { offset: 7 });
      },
    },
    true,
  );
  await stream.take(['text of mine'], never);
  await settled();
  expect([await stream.finish('complete'), reported, calls.length]).toEqual([null, ['over'], 1]);
});

test('BOTSDK-6: a call that keeps failing with 503 is given up after two minutes', async () => {
  const clock = new StillClock();
  const given = persist({ clock, random: () => 1 }, () => Promise.reject(refusal(503, 'unavailable')));
  const refused = given.catch((error: unknown) => error);
  await clock.advance(125_000);
  expect(await refused).toMatchObject({ code: 'unavailable' });
  expect(clock.pending).toBe(0);
});

test('BOTSDK-10: a stop without an event is obeyed after five seconds on a live connection', async () => {
  const clock = new StillClock();
  const client = { state: 'live' } as { state: Bot['client']['state'] };
  const heeded: string[] = [];
  const stop = (name: string) => new UnexplainedStop(client, clock, () => void heeded.push(name));
  const [unheard, explained, later] = [stop('unheard'), stop('explained'), stop('later')];
  unheard.see();
  explained.see();
  explained.explain();
  await clock.advance(5_000);
  expect(heeded).toEqual(['unheard']);
  client.state = 'waiting';
  later.see();
  await clock.advance(59_999);
  expect(heeded).toEqual(['unheard']);
  await clock.advance(1);
  expect(heeded).toEqual(['unheard', 'later']);
});
