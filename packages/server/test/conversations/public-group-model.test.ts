import { ApiError } from '@parley/client';
import { type Actor, createWorld, type Follower, type TestSocket, type World } from '@parley/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Who is in a group × whether it is public × what is called: the model says what each call answers, and who is sent each
// message. A client that was away must end in the state of one that loads everything.

const names = ['owner', 'ann', 'bob', 'cleo'] as const;
type Name = (typeof names)[number];
type Step =
  | { act: 'join' | 'invited' | 'leave' | 'send' | 'read' | 'browse'; who: Name }
  | { act: 'add' | 'remove'; who: Exclude<Name, 'owner'> }
  | { act: 'visibility'; visibility: 'public' | 'private' }
  | { act: 'posting'; posting: 'everyone' | 'managers' };

const anyone = fc.constantFrom(...names);
const other = fc.constantFrom('ann', 'bob', 'cleo');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act: fc.constantFrom('join', 'leave', 'send', 'read', 'browse'), who: anyone }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom('invited'), who: other }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constantFrom('add', 'remove', 'remove'), who: other }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constantFrom('visibility'),
      visibility: fc.constantFrom('public', 'public', 'private'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constantFrom('posting'), posting: fc.constantFrom('everyone', 'managers') }),
  },
);

/** What the group is, as a person would say it. */
class Model {
  isPublic = true;
  managersPost = false;
  readonly inside = new Set<Name>(names);
  readonly removed = new Set<Name>();

  /** The status that a call answers; changes the model if it is 200. */
  answer(step: Step): number {
    switch (step.act) {
      case 'join':
        if (this.isPublic && this.inside.has(step.who)) return 200;
        if (!this.isPublic) return 404;
        return this.removed.has(step.who) ? 403 : this.enter(step.who);
      case 'invited':
      case 'add':
        return this.enter(step.who);
      case 'leave':
        if (!this.inside.has(step.who)) return 403;
        if (step.who === 'owner' && this.inside.size > 1) return 409;
        // The test keeps the owner in.
        if (step.who === 'owner') return 0;
        this.inside.delete(step.who);
        return 200;
      case 'remove':
        if (!this.inside.delete(step.who)) return 404;
        this.removed.add(step.who);
        return 200;
      case 'send':
        return this.inside.has(step.who) && (!this.managersPost || step.who === 'owner') ? 200 : 403;
      case 'read':
        return this.inside.has(step.who) ? 200 : 403;
      case 'browse':
        return 200;
      case 'visibility':
        this.isPublic = step.visibility === 'public';
        return 200;
      case 'posting':
        this.managersPost = step.posting === 'managers';
        return 200;
      default:
        return step satisfies never;
    }
  }

  private enter(who: Name): number {
    this.inside.add(who);
    this.removed.delete(who);
    return 200;
  }
}

const statusOf = (answer: Promise<unknown>): Promise<number> =>
  answer.then(
    () => 200,
    (error: unknown) => {
      if (error instanceof ApiError) return error.status;
      throw error;
    },
  );

let world: World;
let rounds = 0;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** Four people, and their sockets, of one round. */
async function round() {
  rounds += 1;
  const people = {} as Record<Name, Actor>; // filled below
  const sockets = {} as Record<Name, TestSocket>; // as above
  for (const name of names) {
    people[name] = await world.person(`${name}${rounds}`);
    sockets[name] = await people[name].socket('ext');
  }
  const { id: chat_id } = await people.owner.api.startChat({
    usernames: names.map((name) => people[name].username),
    title: `Round ${rounds}`,
    visibility: 'public',
  });
  const { token } = await people.owner.api.createInvite({ chat_id });
  const late: Follower[] = [];
  for (const name of names) late.push(await people[name].follower('ext').load());
  return { people, sockets, chat_id, token, late };
}

test('PUBLIC-6, PUBLIC-7, POST-3: who is in decides about every call, event and replay, whatever the group is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      const model = new Model();
      const { people, sockets, chat_id, token, late } = await round();
      const title = `Round ${rounds}`;
      const sent = new Map<Name, string[]>(names.map((name) => [name, []]));
      const call = async (one: Step, text: string): Promise<unknown> => {
        switch (one.act) {
          case 'join':
            return people[one.who].api.joinChat({ chat_id });
          case 'invited':
            return people[one.who].api.joinChat({ token });
          case 'leave':
            return people[one.who].api.leaveChat({ chat_id });
          case 'send':
            return people[one.who].api.sendMessage({ chat_id, text });
          case 'read':
            return people[one.who].api.getChatHistory({ chat_id });
          case 'browse': {
            const { items } = await people[one.who].api.browseChats({ query: title });
            const found = items.filter(({ id }) => id === chat_id).map(({ joined }) => joined);
            expect(found).toEqual(model.isPublic ? [model.inside.has(one.who)] : []);
            return undefined;
          }
          case 'add':
            return people.owner.api.addMembers({ chat_id, usernames: [people[one.who].username] });
          case 'remove':
            return people.owner.api.removeMember({ chat_id, username: people[one.who].username });
          case 'visibility':
            return people.owner.api.setChatVisibility({ chat_id, visibility: one.visibility });
          case 'posting':
            return people.owner.api.setChatPosting({ chat_id, posting: one.posting });
          default:
            return one satisfies never;
        }
      };
      for (const [at, one] of steps.entries()) {
        const inside = [...model.inside];
        const expected = model.answer(one);
        if (expected === 0) continue;
        const text = `${at} of ${rounds}`;
        const answer = await statusOf(call(one, text));
        expect(answer, JSON.stringify(one)).toBe(expected);
        if (one.act === 'send' && expected === 200) for (const name of inside) sent.get(name)?.push(text);
      }
      await world.settle();
      for (const name of names) {
        const received = sockets[name]
          .all('messageNew')
          .flatMap(({ content, conversation_id, service }) =>
            conversation_id === chat_id && !service ? [content] : [],
          );
        expect(received, name).toEqual(sent.get(name));
        await sockets[name].close();
      }
      for (const follower of late) {
        await follower.connect();
        await world.settle();
        await follower.compare();
        await follower.drop();
      }
    }),
    { numRuns: Number(process.env['RUNS'] ?? 6) },
  );
});
