// scripts/samples/: the scripted session whose requests, replies and events appear in the published documents.
import type { Samples } from '@parley/protocol/samples';
import { createWorld, ManualClock } from '@parley/testing';
import { playSession } from './play-session.ts';
import { Recorder } from './recorder.ts';
import { tidy } from './tidy.ts';

export async function recordSamples(): Promise<Samples> {
  const clock = new ManualClock();
  const prices = { currency: 'USD', models: { 'claude-sonnet-4-5': { input: 3, output: 15 } } };
  const env = { RATE_LIMITS: '1', AGENT_PRICES: JSON.stringify(prices) };
  await using world = await createWorld({ clock, env });
  const recorder = new Recorder(world, clock);
  await playSession(world, clock, recorder);
  return tidy(recorder.samples());
}
