import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { smallPhoto } from '../setup/small-photo.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-638: the end of a conversation stays where it is while parts of messages above it load', async () => {
  await withStage(async (stage) => {
    const bob = await stage.world.member('bob');
    const ann = await stage.person('ann');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    const { buffer } = smallPhoto('one.png', 320);
    const { id } = await bob.api.uploadFile({ file: new File([Uint8Array.from(buffer)], 'one.png') });
    const say = async (text: string, more: object = {}) => bob.api.sendMessage({ chat_id, text, ...more });
    await say('Hello');
    await say('', { poll: { question: 'When?', options: ['Monday', 'Tuesday'] } });
    const options = [{ id: 'yes', label: 'Yes' }];
    await bob.api.askDecision({ chat_id, text: 'Go on?', options });
    await say('```ts\nconst a = 1;\n```\n\n$$a^2 + b^2$$');
    await say('a picture', { attachments: [{ id }] });
    await say('the last');
    // Nothing more loads until the end of the conversation is there.
    const { promise: seen, resolve: see } = Promise.withResolvers<void>();
    await ann.page.route('**/assets/**', async (route) => {
      await seen;
      await route.continue();
    });
    await ann.chat('Plans').click();
    const places = async () =>
      Promise.all(['a picture', 'the last'].map(async (text) => (await ann.message(text).boundingBox())?.y));
    await ann.message('the last').waitFor();
    const before = await places();
    see();
    await ann.page.getByRole('button', { name: 'Yes' }).waitFor();
    await ann.page.locator('.katex').waitFor();
    expect(await places()).toEqual(before);
  });
});
