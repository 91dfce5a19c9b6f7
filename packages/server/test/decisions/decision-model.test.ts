import { runsOf } from '@parley/testing/depth.ts';
import { createWorld, type Follower, ManualClock } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { compareAll } from '@parley/testing/model/follower.ts';
import fc from 'fast-check';
import { botIn } from '../helpers/agents.ts';
import { decisionCommands, type Real, recount } from './decision-commands.ts';
import { DecisionModel } from './decision-model.ts';

/** RUNS=200 plays 200 sequences. */
const RUNS = Number(process.env['RUNS'] ?? runsOf(15));

embeddedTest('the nodes of a cluster take their dates from the database')(
  'DECIDE-4, DECIDE-5, DECIDE-8, DECIDE-9, DECIDE-10, DECIDE-11: ★ whatever people do, at once and late, a decision has one outcome, and everyone ends with the same',
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.commands(decisionCommands, { maxCommands: 40, size: '+1' }), async (commands) => {
        runs += 1;
        const { ann, ben, cleo, dora } = {
          ann: await world.person(`ann${runs}`),
          ben: await world.person(`ben${runs}`),
          cleo: await world.person(`cleo${runs}`),
          dora: await world.person(`dora${runs}`),
        };
        const group = await world.group(ann, ben, cleo);
        const actors = { ann, ben, cleo, dora, bot: await botIn(world, ann, group) };
        const direct = await world.direct(ann, ben);
        const real: Real = { world, clock, actors, chatIds: { group: group.id, direct: direct.id } };
        const followers: Follower[] = [];
        for (const actor of Object.values(actors)) followers.push(await actor.follow('ext'));
        const model = new DecisionModel(clock.now());
        try {
          await fc.asyncModelRun(() => ({ model, real }), commands);
          await recount(model, real);
          await world.settle();
          for (const follower of followers) await follower.idle();
          await compareAll(followers);
        } finally {
          for (const follower of followers) await follower.drop();
        }
      }),
      { numRuns: RUNS, ...(process.env['SEED'] !== undefined && { seed: Number(process.env['SEED']) }) },
    );
    process.stdout.write(`decisions: ${runs} runs\n`);
  },
  600_000,
);
