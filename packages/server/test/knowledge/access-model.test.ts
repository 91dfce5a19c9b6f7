import type { Visibility } from '@parley/protocol';
import type { Actor } from '@parley/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setRole } from '../helpers/every-operation.ts';
import { statusFor, upload } from '../helpers/file-stage.ts';
import { quietWorld } from './library-stage.ts';

/** What may happen to a library and to those who look at it. */
type Change =
  | { type: 'open'; at: number; to: boolean }
  | { type: 'visibility'; to: Visibility }
  | { type: 'join' | 'leave'; who: 'bob' | 'guest' }
  | { type: 'remove'; at: number };

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ type: fc.constant('open' as const), at: fc.nat(2), to: fc.boolean() }),
  fc.record({
    type: fc.constant('visibility' as const),
    to: fc.constantFrom<Visibility>('private', 'groups', 'public'),
  }),
  fc.record({ type: fc.constantFrom('join' as const, 'leave' as const), who: fc.constantFrom('bob', 'guest') }),
  fc.record({ type: fc.constant('remove' as const), at: fc.nat(2) }),
);

/** What the rules say. */
interface Model {
  visibility: Visibility;
  members: Set<string>;
  sources: { id: string; fileId: string | undefined; isOpen: boolean; isRemoved: boolean }[];
}

const seesAgent = ({ visibility, members }: Model, who: string): boolean =>
  who === 'ann' || members.has(who) || (visibility === 'public' && who !== 'guest');

test('KNOW-4, KNOW-5, KNOW-9: who sees which source and which file, whatever happens', { tags: ['long'] }, async () => {
  await using stage = await quietWorld({ RATE_LIMITS: '0' });
  const { world } = stage;
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  const guest = await world.member('guest');
  await setRole(world, 'guest', 'guest');
  const viewers: Record<string, Actor> = { ann, bob, cleo, guest };
  let round = 0;

  async function check(model: Model, username: string): Promise<void> {
    for (const [who, viewer] of Object.entries(viewers)) {
      const isOwner = who === 'ann';
      const listed = await viewer.api.getAgentSources({ username }).then(
        ({ items }) => items,
        (error: { status: number }) => error.status,
      );
      const left = model.sources.filter(({ isRemoved }) => !isRemoved);
      if (!seesAgent(model, who)) expect([who, [403, 404].includes(listed as number)]).toEqual([who, true]);
      else
        expect([who, (listed as { id: string; open: boolean; file?: object; url?: string }[]).map(shown)]).toEqual([
          who,
          left.map(({ id, isOpen, fileId }) => [id, isOpen, (isOwner || isOpen) && (fileId ?? 'page')]),
        ]);
      for (const { fileId, isOpen, isRemoved } of model.sources) {
        if (fileId === undefined) continue;
        const mayRead = !isRemoved && (isOwner || (isOpen && seesAgent(model, who)));
        expect([who, await statusFor(world, viewer, { id: fileId })]).toEqual([who, mayRead ? 200 : 404]);
      }
    }
  }

  const shown = ({ id, open, file, url }: { id: string; open: boolean; file?: { id?: string }; url?: string }) => [
    id,
    open,
    file?.id ?? (url === undefined ? false : 'page'),
  ];

  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 4, maxLength: 10 }), async (happens) => {
      round += 1;
      const { username } = await ann.api.createAgent({
        slug: `t${round}`,
        display_name: 'Tutor',
        provider: 'provider_a',
      });
      const { id: chat_id } = await world.group(ann);
      await ann.api.addGroupAgent({ chat_id, agent_username: username });
      const files = [await upload(ann, 'one', 'a.txt'), await upload(ann, 'two', 'b.txt')];
      const added = [
        ...(await Promise.all(files.map(({ id: file_id }) => ann.api.addAgentSource({ username, file_id })))),
        await ann.api.addAgentSource({ username, url: `${stage.pages.origin}/page` }),
      ];
      const order = (await ann.api.getAgentSources({ username })).items.map(({ id }) => id);
      const model: Model = {
        visibility: 'groups',
        members: new Set(),
        sources: added
          .map(({ id, file }) => ({ id, fileId: file?.id, isOpen: false, isRemoved: false }))
          .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id)),
      };
      await check(model, username);
      for (const change of happens) {
        await apply(change);
        await check(model, username);
      }

      async function apply(change: Change): Promise<void> {
        if (change.type === 'visibility') {
          await ann.api.updateAgent({ username, visibility: change.to });
          model.visibility = change.to;
        } else if (change.type === 'join' && !model.members.has(change.who)) {
          await ann.api.addMembers({ chat_id, usernames: [change.who] });
          model.members.add(change.who);
        } else if (change.type === 'leave' && model.members.has(change.who)) {
          await ann.api.removeMember({ chat_id, username: change.who });
          model.members.delete(change.who);
        } else if (change.type === 'open' || change.type === 'remove') {
          const source = model.sources[change.at];
          if (!source || source.isRemoved) return;
          if (change.type === 'remove') {
            await ann.api.removeAgentSource({ source_id: source.id });
            source.isRemoved = true;
          } else {
            await ann.api.setAgentSource({ source_id: source.id, open: change.to });
            source.isOpen = change.to;
          }
        }
      }
    }),
    { numRuns: 8, endOnFailure: true },
  );
});

test('KNOW-5: a signed address of an open file stops working when the owner closes the source', async () => {
  await using stage = await quietWorld();
  const { world } = stage;
  const { ann, bob } = await world.people('ann', 'bob');
  const { username } = await ann.api.createAgent({ slug: 't', display_name: 'Tutor', provider: 'provider_a' });
  await ann.api.updateAgent({ username, visibility: 'public' });
  const { id: file_id } = await upload(ann, 'words', 'a.txt');
  const { id: source_id } = await ann.api.addAgentSource({ username, file_id, open: true });
  const [seen] = (await bob.api.getAgentSources({ username })).items;
  const status = async () => (await fetch(`${world.url}${seen?.file?.url}`)).status;
  expect(await status()).toBe(200);
  await ann.api.setAgentSource({ source_id, open: false });
  expect(await status()).toBe(404);
});
