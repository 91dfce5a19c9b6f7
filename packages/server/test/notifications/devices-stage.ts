import { ManualClock } from '@parley/testing';
import type { Actor } from '@parley/testing';
import { PushDevice } from '@parley/testing/push/push-device.ts';
import { type PushStage, withPushes } from '@parley/testing/push/push-stage.ts';
import type { PushReply } from '@parley/testing/push/fake-push.ts';

/** Long enough for everything to be stored, pushed and taken back. */
const ALL_MS = 5_000;

/** Alice, and Bob with a laptop and a tablet (browsers) and a phone, each with its own session. */
export interface DevicesStage extends PushStage {
  clock: ManualClock;
  alice: Actor;
  bob: Actor;
  laptop: Device;
  tablet: Device;
  phone: Device;
  chat_id: string;
  say(text: string, chatId?: string): Promise<{ id: string; position: number }>;
  /** Advances the clock; resolves after everything that is due has been stored and pushed. */
  pass(ms?: number): Promise<void>;
  script(device: Device, ...replies: PushReply[]): void;
}

export interface Device extends Actor {
  readonly device: PushDevice;
  readonly deviceName: string;
}

export function withDevices(work: (stage: DevicesStage) => Promise<void>): Promise<void> {
  const clock = new ManualClock();
  return withPushes(
    async (stage) => {
      const { world, push, apns } = stage;
      const alice = await world.member('alice');
      const bob = await world.member('bob');
      const onDevice = async (name: string, make: () => PushDevice): Promise<Device> => {
        const actor = await world.signIn(bob);
        const token = name === 'phone' ? { token: name } : { platform: 'web' as const, token: push.subscribe(name) };
        await actor.api.registerPushToken(token);
        return Object.assign(actor, { device: make(), deviceName: name });
      };
      const laptop = await onDevice('laptop', () => PushDevice.browser(push, 'laptop'));
      const tablet = await onDevice('tablet', () => PushDevice.browser(push, 'tablet'));
      const phone = await onDevice('phone', () => PushDevice.phone(apns, 'phone'));
      const { id: chat_id } = await world.direct(alice, bob);
      const pass = async (ms = ALL_MS): Promise<void> => {
        for (let left = ms; left > 0; left -= 500) {
          await stage.pushed();
          await clock.advance(Math.min(left, 500));
          await world.settle();
        }
        await stage.pushed();
        for (const { device } of [laptop, tablet, phone]) device.receive();
      };
      await work({
        ...stage,
        clock,
        alice,
        bob,
        laptop,
        tablet,
        phone,
        chat_id,
        say: (text, chatId = chat_id) => alice.api.sendMessage({ chat_id: chatId, text }),
        pass,
        script: ({ deviceName }, ...replies) => push.script(deviceName, ...replies),
      });
    },
    { clock },
  );
}
