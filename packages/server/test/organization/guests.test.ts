import { type OperationName, operationNames, type OperationPolicy, operations } from '@parley/protocol';
import { createWorld } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { directScenes, everyOperation, setRole } from '../helpers/every-operation.ts';

const missing = { status: 404 };
const forbidden = { status: 403 };

/** Fields that hold usernames, by the names that operations give them. */
const holdsNames = (field: string): boolean => /username/.test(field) || ['sender', 'deciders'].includes(field);

test('ENTER-5: every operation answers a guest for a stranger’s name as for an unknown one', async () => {
  await using world = await createWorld({ env: { RATE_LIMITS: '0' } });
  const nextScene = await directScenes(world);
  const [stranger, unknown] = ['somebody', 'no_such_name'];
  const scene = await nextScene();
  const { owner, member, bot, otherBot } = scene.actors;
  await world.sql('UPDATE accounts SET is_public = 1 WHERE username = $1', otherBot.username);
  await setRole(world, member.username, 'owner');
  for (const guest of [owner, scene.actors.keeper]) await setRole(world, guest.username, 'guest');
  const named: string[] = [];
  for (const name of operationNames) {
    const policy: OperationPolicy = operations[name].policy;
    if (policy.open) continue;
    const { properties = {} } = z.toJSONSchema(operations[name].input, { io: 'input', unrepresentable: 'any' });
    for (const field of Object.keys(properties).filter(holdsNames)) {
      named.push(`${name}.${field}`);
      const isList = field === 'deciders' || field.endsWith('s');
      for (const guest of [owner, scene.actors.keeper, bot]) {
        const call = guest.api as unknown as Record<OperationName, (params: object) => Promise<unknown>>; // by name
        const answer = async (username: string) => {
          const params = { ...everyOperation[name].params(scene), [field]: isList ? [username] : username };
          const settled = await call[name](params).catch((error: unknown) => String(error));
          return JSON.stringify(settled)
            .replaceAll(username, 'NAME')
            .replaceAll(/[0-9a-f-]{36}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…');
        };
        const expected = await answer(unknown);
        for (const one of [stranger, otherBot.username])
          expect([name, field, guest.username, one, await answer(one)]).toEqual([
            name,
            field,
            guest.username,
            one,
            expected,
          ]);
      }
    }
  }
  expect(named).toEqual(
    expect.arrayContaining(['getUser.username', 'queryInline.bot_username', 'askDecision.deciders']),
  );
});

test('ENTER-5: what a person has begun as a member, it sees and ends as a guest', async () => {
  await using world = await createWorld();
  const { owner, ann, bob } = await world.people('owner', 'ann', 'bob');
  await setRole(world, 'owner', 'owner');
  const { id: chat_id } = await world.group(ann, bob);
  const bot = await world.bot(ann, 'helper');
  await ann.api.addGroupAgent({ chat_id, agent_username: bot.username });
  const when = { every: 'day', zone: 'UTC' } as const;
  const { id: schedule_id } = await ann.api.createSchedule({ chat_id, text: 'again', when });
  const { id: invite_id } = await ann.api.createServiceInvite({});
  await ann.api.setChatVisibility({ chat_id, visibility: 'public' });
  const { id: message_id } = await bot.api.startMessageStream({ chat_id });
  await owner.api.setAccountRole({ username: 'ann', role: 'guest' });

  await bot.api.appendMessageStream({ message_id, delta: 'half', offset: 4 });
  expect((await bot.api.getOpenStreams()).items).toMatchObject([{ message_id }]);
  await bot.api.finishMessageStream({ message_id });
  expect((await ann.api.getSchedules({})).items).toMatchObject([{ id: schedule_id }]);
  await ann.api.pauseSchedule({ schedule_id, paused: true });
  await ann.api.deleteSchedule({ schedule_id });
  const made = await ann.api.createSchedule({ chat_id, text: 'as a guest', when });
  await ann.api.deleteSchedule({ schedule_id: made.id });
  expect((await ann.api.previewSchedule({ when })).items).toHaveLength(5);
  expect((await ann.api.getServiceInvites({})).items).toMatchObject([{ id: invite_id }]);
  await ann.api.revokeServiceInvite({ invite_id });
  expect((await ann.api.getToolCalls({})).items).toEqual([]);
  expect((await ann.api.getToolGrants({})).items).toEqual([]);
  expect(await failure(ann.api.revokeToolGrant({ grant_id: schedule_id }))).toMatchObject(missing);
  expect(await ann.api.setChatVisibility({ chat_id, visibility: 'private' })).toMatchObject({ visibility: 'private' });
  expect(await failure(ann.api.setChatVisibility({ chat_id, visibility: 'public' }))).toMatchObject(forbidden);
  const { token } = await ann.api.rotateBotToken({ username: bot.username });
  expect(token).not.toBe(bot.token);
});
