import { setTimeout as sleep } from 'node:timers/promises';
import { watchCores } from './cores.ts';
import { HttpConnection } from './http-connection.ts';
import type { HttpFloodJob, HttpFloodResult } from './jobs.ts';
import { sendMessageBody } from './request-frames.ts';

export async function httpFlood(job: HttpFloodJob): Promise<HttpFloodResult> {
  let replies = 0;
  const stop = new AbortController();

  async function keepSending(sender: HttpFloodJob['senders'][number]): Promise<void> {
    const connection = new HttpConnection(job.url);
    try {
      while (!stop.signal.aborted) {
        const body = sendMessageBody(sender.chatId, sender.text);
        const reply = await connection.post('/api/sendMessage', sender.token, body);
        if (reply.status !== 200)
          throw new Error(`sendMessage ${reply.status}: ${reply.body.toString().slice(0, 200)}`);
        replies++;
      }
    } finally {
      connection.close();
    }
  }

  const all = Promise.all(job.senders.map(keepSending));
  // If a sender fails, the flood ends immediately. Its error is thrown at the end, where `all` is awaited.
  const failure = all.catch(() => stop.abort());
  await Promise.race([sleep(job.warmUpSeconds * 1_000), failure]);
  const repliesAtStart = replies;
  const startMs = performance.now();
  const cores = watchCores(job.serverPid);
  await Promise.race([sleep(job.seconds * 1_000), failure]);
  const result = {
    seconds: (performance.now() - startMs) / 1_000,
    replies: replies - repliesAtStart,
    cores: cores(),
  };
  stop.abort();
  await all;
  return result;
}
