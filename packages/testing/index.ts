// The building blocks of tests: whole services in process, their users, clients that follow the update log strictly, a
// clock that tests control, fake providers, and the contract suites that every engine of a port must pass.
export { Actor } from './actor.ts';
export { type FakeProviders, SteeredReply, startFakeProviders } from './fake-providers.ts';
export { ManualClock } from './manual-clock.ts';
export { Follower } from './model/follower.ts';
export { checkReplay } from './replay-check.ts';
export { TestSocket } from './test-socket.ts';
export { unknownId } from './unknown-id.ts';
export { createWorld, type LogLine, World, type WorldOptions } from './world.ts';
