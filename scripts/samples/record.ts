// scripts/samples/: the scripted session whose requests, replies and events appear in the published documents.
import type { Samples } from '@parley/protocol/samples';
import { createWorld, ManualClock } from '@parley/testing';
import { FakeIssuer } from '@parley/testing/providers/fake-issuer.ts';
import { startToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import { playSession } from './play-session.ts';
import { Recorder } from './recorder.ts';
import { tidy } from './tidy.ts';

export async function recordSamples(): Promise<Samples> {
  const clock = new ManualClock();
  const prices = { currency: 'USD', models: { 'claude-sonnet-4-5': { input: 3, output: 15 } } };
  await using tools = await startToolServer({
    forecast: { description: 'The weather of the next days in a place.' },
    warn: { description: 'Sends a warning when the forecast of a place changes.' },
  });
  const issuer = await FakeIssuer.start();
  const env = {
    OIDC: JSON.stringify([issuer.config({})]),
    RATE_LIMITS: '1',
    AGENT_PRICES: JSON.stringify(prices),
    TOOL_ENDPOINTS: tools.origin,
    PUBLIC_URL: 'https://parley.example',
  };
  await using world = await createWorld({ clock, env });
  const recorder = new Recorder(world, clock);
  try {
    await playSession(world, clock, recorder, tools);
  } finally {
    // Before the world, which would find its connections open.
    await issuer[Symbol.asyncDispose]();
  }
  return tidy(recorder.samples(), tools.origin);
}
