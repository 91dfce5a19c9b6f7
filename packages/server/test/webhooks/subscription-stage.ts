import type { Message, WebhookSubscription } from '@parley/protocol';
import type { Actor, ManualClock, World } from '@parley/testing';
import type { Receiver } from './receiver.ts';
const standing = async (who: Actor): Promise<WebhookSubscription | undefined> =>
  (await who.api.getWebhookSubscriptions()).items[0];

/** A service with two people in a group, whose events go to a receiver. */
export async function stage(world: World, clock: ManualClock, receiver: Receiver) {
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const subscribe = (who: Actor, path: string, more: object = {}) =>
    who.api.createWebhookSubscription({ url: receiver.origin + path, events: ['messageNew'], ...more });
  const say = (text: string, more: object = {}) => bob.api.sendMessage({ chat_id, text, ...more });
  /** Lets time pass, and everything that is due be sent. */
  const pass = async (ms = 1_000) => {
    await world.settle();
    await clock.advance(ms);
    await world.settle();
  };
  return { ann, bob, chat_id, subscribe, say, pass, standing };
}

/** The texts of the messages that arrived at a path. */
export const textsAt = (receiver: Receiver, path: string): string[] =>
  // Only messages were subscribed to.
  receiver.framesAt(path).map(({ params }) => (params as unknown as Message).content);
