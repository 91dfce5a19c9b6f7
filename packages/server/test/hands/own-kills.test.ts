import { createWorld } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect } from 'vitest';
import { asking, results, toolParts } from './hands-stage.ts';
import { type Kill, killAt, killEverywhere } from './kill-at.ts';
import { own, ownScene } from './own-tools-stage.ts';

const commits = 'claimTurn storeStep remindForCall askForCall endCall admitStep closeStream decide'.split(' ');

/** A turn that looks at the time, sets a reminder and asks a question; returns whether it was killed. */
async function play(at: Kill): Promise<boolean> {
  await using world = await createWorld({ expectsErrors: true });
  const { ann, agent, chat, reply, decisions } = await ownScene(world);
  // What the model answers depends on what it was told, so that a request that is repeated gets the same answer.
  world.providers.script(agent.key, () =>
    results(world, agent).length === 0
      ? asking(
          own('list_people'),
          own('remind', { in_minutes: 5 }),
          own('ask', { question: 'Really?', options: ['Yes'] }),
        )
      : { chunks: ['That is all.'] },
  );
  const kill = killAt(world, at);
  let isDead = false;
  const rest = async (): Promise<void> => {
    if (isDead) return world.turnsEnded();
    isDead = await Promise.race([kill.died, world.turnsEnded().then(() => false)]);
    if (!isDead) return;
    await world.crash();
    await world.turnsEnded();
  };
  await ann.api.sendMessage({ chat_id: chat.id, text: 'please' });
  await rest();
  const decide = async () =>
    ann.api.decide({ decision_id: (await decisions())[0]?.id ?? '', option: 'option_1' }).catch(() => {});
  await decide();
  await rest();
  if (isDead) await decide();
  await rest();
  expect(await reply()).toMatchObject({ status: 'complete', content: 'That is all.' });
  expect(toolParts(await reply()).map(({ status }) => status)).toEqual(['done', 'done', 'done']);
  expect((await decisions()).map(({ decision }) => decision?.state)).toEqual(['decided']);
  expect((await ann.api.getReminders()).items).toHaveLength(1);
  const [people, reminded, answered] = results(world, agent);
  expect(people).toContain('"ann"');
  expect(reminded).toMatch(/^The reminder is set for /);
  expect(answered).toContain('"answer":"Yes"');
  return isDead;
}

for (const when of ['before', 'after'] as const)
  embeddedTest('the cluster has tests of its own')(
    `OWN-6: ★ killed ${when} each commit of a turn, a reminder is set once, a question asked once, and a read runs again`,
    { timeout: 240_000 },
    () => killEverywhere(commits, when, play),
  );
