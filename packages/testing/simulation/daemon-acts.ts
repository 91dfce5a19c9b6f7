import { ApiError } from '@parley/client';
import { DaemonStream } from '../world/daemon-stream.ts';
import type { Act } from './acts.ts';
import type { Cast } from './cast.ts';

/** Acts of the bot's daemon; one at a time, because a daemon writes one reply after another. */
export const daemonActs = {
  async startReply(cast) {
    const place = cast.someone((actor) => actor === cast.bot);
    if (!place || cast.streams.length >= 4) return undefined;
    const message = await cast.bot.api.startMessageStream({ chat_id: place.chat.id });
    cast.streams.push(new DaemonStream(cast.bot.api, message));
    place.chat.messages.push(message);
    return `the bot starts ${message.id}`;
  },

  async append(cast) {
    const stream = cast.random.pick(cast.streams);
    if (!stream) return undefined;
    const pieces = Array.from(
      { length: 1 + cast.random.below(5) },
      () => cast.random.pick(['a', 'é', '🙂 ', ' word', '\n']) ?? '',
    );
    return writing(cast, stream, () => stream.append(`${pieces.join('')}${cast.witness.newToken()}`));
  },

  async replace(cast) {
    const stream = cast.random.pick(cast.streams);
    if (!stream) return undefined;
    const text = cast.random.chance(0.2) ? '' : `instead ${cast.witness.newToken()}`;
    return writing(cast, stream, () => stream.replace(text));
  },

  async think(cast) {
    const stream = cast.random.pick(cast.streams);
    if (!stream) return undefined;
    return writing(cast, stream, () => stream.think(`ñ🙂 ${cast.witness.newToken()}`));
  },

  async part(cast) {
    const stream = cast.random.pick(cast.streams);
    if (!stream) return undefined;
    const id = `part ${cast.random.below(4)}`;
    const [name, output] = ['look', cast.witness.newToken()];
    const status = cast.random.weighted({ running: 2, done: 1, failed: 1 });
    const url = `https://pages.example/${cast.random.below(9)}`;
    const part = cast.random.chance(0.5)
      ? ({ id, type: 'tool', name, output, status } as const)
      : ({ id, type: 'source', url, title: output } as const);
    return writing(cast, stream, () => stream.part(part));
  },

  async finish(cast) {
    const stream = cast.random.pick(cast.streams);
    if (!stream) return undefined;
    const status = cast.random.weighted({ complete: 6, failed: 1, cancelled: 2 });
    return writing(cast, stream, async () => {
      await stream.finish(status);
      cast.streams = cast.streams.filter((other) => other !== stream);
    });
  },
} as const satisfies Record<string, Act>;

/** Writes to a reply; if someone else has ended the reply, the daemon abandons it. */
async function writing(cast: Cast, stream: DaemonStream, write: () => Promise<unknown>): Promise<string> {
  try {
    // First resends what a crash lost.
    await stream.append('');
    await write();
    return `the bot writes ${stream.id}: ${stream.text}`;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    cast.streams = cast.streams.filter((other) => other !== stream);
    return `the bot finds ${stream.id} ended: ${error.message}`;
  }
}
