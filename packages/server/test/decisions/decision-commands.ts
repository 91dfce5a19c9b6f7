import { ApiError } from '@parley/client';
import type { Decision } from '@parley/protocol';
import { type Actor, type ManualClock, type World } from '@parley/testing';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import {
  type DecisionModel,
  type Deciders,
  type ModelDecision,
  type Name,
  people,
  type Place,
} from './decision-model.ts';

/** The service beside the model. */
export interface Real {
  world: World;
  clock: ManualClock;
  actors: Record<Name, Actor>;
  chatIds: Record<Place, string>;
}
type Command = fc.AsyncCommand<DecisionModel, Real>;
type Run = (model: DecisionModel, real: Real) => Promise<void>;

const options = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];
const nameOf = (real: Real, name: Name): string => real.actors[name].username;

/** A command that is skipped where it means nothing. */
const command = (text: string, run: Run, isMeant: (model: DecisionModel) => boolean = () => true): Command => ({
  check: isMeant,
  run,
  toString: () => text,
});

/** The decision of that place in the list, if there is any. */
const pick = ({ decisions }: DecisionModel, at: number): ModelDecision => {
  const found = decisions[at % decisions.length];
  if (!found) throw new Error('there is no decision');
  return found;
};
const hasAny = ({ decisions }: DecisionModel): boolean => decisions.length > 0;

const statusOf = async (call: Promise<unknown>): Promise<number> => {
  try {
    await call;
    return 200;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
};

const who = fc.constantFrom<Name>('ann', 'ben', 'cleo', 'dora', 'bot');
const at = fc.nat({ max: 20 });
const option = fc.constantFrom('yes', 'no');

const ask = fc
  .record({
    asker: who,
    place: fc.constantFrom<Place>('group', 'group', 'direct'),
    deciders: fc.constantFrom<Deciders>('anyone', 'anyone', 'admins', ['ben'], ['cleo', 'ann'], ['ben', 'dora']),
    isPrivate: fc.boolean(),
    seconds: fc.constantFrom(undefined, 10, 20, 60),
  })
  .map(({ asker, place, deciders, isPrivate, seconds }) =>
    command(`${asker} asks ${String(deciders)} in the ${place}`, async (model, real) => {
      const isListed = typeof deciders !== 'string';
      const isWrong = isListed
        ? deciders.some((name) => !model.takesPart(name, place))
        : deciders === 'admins' && place === 'direct';
      const isRefused = !model.takesPart(asker, place);
      const status = isRefused ? 403 : isWrong ? 400 : place === 'direct' && model.isBlocked ? 403 : 200;
      const named = isListed ? deciders.map((name) => nameOf(real, name)) : (deciders as 'anyone' | 'admins'); // otherwise it is listed
      const asked = real.actors[asker].api.askDecision({
        chat_id: real.chatIds[place],
        text: 'Shall we?',
        options,
        deciders: named,
        ...(isListed && { private: isPrivate }),
        ...(seconds !== undefined && { expires_in: seconds }),
      });
      expect(await statusOf(asked)).toBe(status);
      if (status !== 200) return;
      model.decisions.push({
        id: (await asked).id,
        place,
        asker,
        deciders,
        isPrivate: isListed && isPrivate,
        expiresAt: seconds === undefined ? undefined : model.now + seconds * 1_000,
        state: 'open',
        isDeleted: false,
        hiddenBy: new Set(),
      });
    }),
  );

/** Several accounts answer at once: one of those that may wins, and all others are told who. */
const decide = fc
  .record({ at, answers: fc.array(fc.record({ name: who, option }), { minLength: 1, maxLength: 4 }) })
  .map(({ at: place, answers }) =>
    command(
      `${answers.map(({ name, option: chosen }) => `${name}: ${chosen}`).join(', ')} at once for ${place}`,
      async (model, real) => {
        const one = pick(model, place);
        const before = answers.map(({ name, option: chosen }) => model.toDecide(name, one, chosen));
        const got = await Promise.all(
          answers.map(async ({ name, option: chosen }) => {
            try {
              const { decision } = await real.actors[name].api.decide({ decision_id: one.id, option: chosen });
              return { status: 200, decision };
            } catch (error) {
              if (!(error instanceof ApiError)) throw error;
              return { status: error.status, decision: error.parameters['decision'] as Decision | undefined }; // DECIDE-5
            }
          }),
        );
        const outcomes = new Set(
          got.flatMap(({ decision }) =>
            decision ? [`${decision.state} ${decision.decided_by} ${decision.option}`] : [],
          ),
        );
        expect(outcomes.size, [...outcomes].join('; ')).toBeLessThanOrEqual(1);
        if (before.includes('wins')) {
          const won = got.find(({ status }) => status === 200)?.decision;
          const winner = answers.find(({ name }) => nameOf(real, name) === won?.decided_by);
          expect(won?.state).toBe('decided');
          expect(winner && model.toDecide(winner.name, one, won?.option ?? '')).toBe('wins');
          Object.assign(one, { state: 'decided', by: winner?.name, option: won?.option });
        }
        for (const [index, { name, option: chosen }] of answers.entries())
          expect(got[index]?.status, `${name}: ${chosen}`).toBe(model.toDecide(name, one, chosen));
      },
      hasAny,
    ),
  );

const withdraw = fc.record({ name: who, at }).map(({ name, at: place }) =>
  command(
    `${name} withdraws ${place}`,
    async (model, real) => {
      const one = pick(model, place);
      const expected = model.toWithdraw(name, one);
      const status = await statusOf(real.actors[name].api.withdrawDecision({ decision_id: one.id }));
      expect(status).toBe(expected === 'ends' ? 200 : expected);
      if (expected === 'ends') one.state = 'withdrawn';
    },
    hasAny,
  ),
);

const remove = fc.record({ at }).map(({ at: place }) =>
  command(
    `the message ${place} is deleted by who asked`,
    async (model, real) => {
      const one = pick(model, place);
      const { ids } = await real.actors[one.asker].api.deleteMessages({ message_ids: [one.id] });
      // Who has hidden it can delete it all the same.
      expect(ids).toEqual(!one.isDeleted && model.takesPart(one.asker, one.place) ? [one.id] : []);
      if (ids.length === 1)
        Object.assign(one, { isDeleted: true, state: one.state === 'open' ? 'withdrawn' : one.state });
    },
    hasAny,
  ),
);

const hide = fc.record({ name: who, at }).map(({ name, at: place }) =>
  command(
    `${name} hides ${place}`,
    async (model, real) => {
      const one = pick(model, place);
      const { ids } = await real.actors[name].api.deleteMessagesForMe({ message_ids: [one.id] });
      expect(ids).toEqual(model.sees(name, one) ? [one.id] : []);
      if (ids.length === 1) one.hiddenBy.add(name);
    },
    (model) => hasAny(model) && name !== 'bot',
  ),
);

/** Dora, ben and cleo come and go, and get and lose rights. */
const change = fc
  .record({
    name: fc.constantFrom<Name>('ben', 'cleo', 'dora'),
    role: fc.constantFrom('admin' as const, 'member' as const),
    isGoing: fc.boolean(),
  })
  .map(({ name, role, isGoing }) =>
    command(`${name} ${isGoing ? 'goes, or comes' : `is ${role}, or comes`}`, async ({ roles, isBlocked }, real) => {
      const { api } = real.actors.ann;
      const chat_id = real.chatIds.group;
      const username = nameOf(real, name);
      if (!roles.has(name)) {
        await api.addMembers({ chat_id, usernames: [username] });
        // Nobody is added by somebody whom they have blocked.
        if (name !== 'ben' || !isBlocked) roles.set(name, 'member');
      } else if (isGoing) {
        await (role === 'admin'
          ? api.removeMember({ chat_id, username })
          : real.actors[name].api.leaveChat({ chat_id }));
        roles.delete(name);
      } else {
        await api.setMemberRole({ chat_id, username, role });
        roles.set(name, role);
      }
    }),
  );

const block = fc.boolean().map((isBlocked) =>
  command(`ben ${isBlocked ? 'blocks' : 'unblocks'} ann`, async (model, real) => {
    const username = nameOf(real, 'ann');
    await (isBlocked ? real.actors.ben.api.blockUser({ username }) : real.actors.ben.api.unblockUser({ username }));
    model.isBlocked = isBlocked;
  }),
);

async function pass(model: DecisionModel, { clock, world }: Real, ms: number): Promise<void> {
  await clock.advance(ms);
  await world.settle();
  model.pass(ms);
}

const wait = fc
  .constantFrom(1_000, 9_000, 10_000, 21_000, 60_000)
  .map((ms) => command(`${ms} ms pass`, (model, real) => pass(model, real, ms)));

/** Whatever the service counts is what one counts again (DECIDE-10, DECIDE-13, INBOX-11). */
export async function recount(model: DecisionModel, real: Real): Promise<void> {
  while (model.isUnsettled) await pass(model, real, 2_500);
  model.noteExpired();
  for (const name of people) {
    const { api } = real.actors[name];
    const { items: chats } = await api.getChats({});
    for (const place of ['group', 'direct'] as const) {
      const chat = chats.find(({ id }) => id === real.chatIds[place]);
      const needs = model.needs(name, place);
      expect([chat?.needs_you ?? 0, chat?.open_decisions ?? []], `${name} in the ${place}`).toEqual([
        needs.length,
        needs,
      ]);
    }
    const inbox = (await api.getInbox({ limit: 100 })).items.filter(({ reason }) => reason === 'decision');
    expect(
      inbox.map(({ message_id }) => message_id),
      `the inbox of ${name}`,
    ).toEqual(model.inbox(name));
    const listed = (await api.getDecisions({ limit: 100 })).items;
    expect(
      listed.map(({ id }) => id),
      `the decisions of ${name}`,
    ).toEqual(model.listed(name));
    for (const { id, decision } of listed) {
      const one = model.decisions.find((known) => known.id === id);
      const by = one?.by === undefined ? undefined : nameOf(real, one.by);
      expect([decision?.state, decision?.decided_by, decision?.option]).toEqual([one?.state, by, one?.option]);
    }
  }
  const bots = (await real.actors.bot.api.getDecisions({ limit: 100 })).items.map(({ id }) => id);
  expect(bots).toEqual(
    model.decisions
      .filter((one) => one.asker === 'bot' && model.sees('bot', one))
      .map(({ id }) => id)
      .toReversed(),
  );
}

const check = fc.constant(command('everything is counted again', recount));

export const decisionCommands = [
  ask,
  ask,
  ask,
  decide,
  decide,
  decide,
  withdraw,
  remove,
  hide,
  change,
  change,
  block,
  wait,
  check,
];
