import type { Message } from '@parley/protocol';
import { t } from './t.ts';

type LeftOut = NonNullable<Message['left_out']>;

/** Why a message of an agent reaches agents no more that it mentions (DISPATCH-21). */
const texts: Readonly<Record<LeftOut['limit'], (names: string) => string>> = {
  hops: (names) =>
    t(
      '{names} won’t answer this: agents have asked each other as often as they may after one message. Write something, and they can go on.',
      { names },
    ),
  message: (names) =>
    t(
      '{names} won’t answer this: as many replies as may follow from one message have followed. Write something, and they can go on.',
      { names },
    ),
  unprompted: (names) =>
    t('{names} won’t answer this: the bot has asked agents by itself as often as it may in an hour.', { names }),
  waiting: (names) =>
    t('{names} won’t answer this: too many messages wait for them already. Ask again later.', { names }),
};

/** `names`: of the agents that are left out. A newer service may know further limits. */
export const leftOutText = (limit: LeftOut['limit'], names: string): string =>
  (Object.hasOwn(texts, limit) ? texts[limit] : texts.hops)(names);
