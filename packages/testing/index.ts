// The building blocks of tests: whole services in process, their users, clients that follow the update log strictly, a
// clock that tests control, fake providers, and the contract suites that every engine of a port must pass.
export { Actor } from './world/actor.ts';
export { type FakeProviders, type FakeBlock, SteeredReply, startFakeProviders } from './providers/fake-providers.ts';
export { ManualClock } from './clocks/manual-clock.ts';
export { Follower } from './model/follower.ts';
export { checkReplay } from './model/replay-check.ts';
export { TestSocket } from './world/test-socket.ts';
export { unknownId } from './world/unknown-id.ts';
export { createWorld, type LogLine, World, type WorldOptions } from './world/world.ts';
