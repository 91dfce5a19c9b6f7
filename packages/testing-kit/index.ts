// For tests of programs that use Parley: starts a throw-away service from a checkout, with people, bots and groups.
export { type GroupSeed, type ParleyOptions, type Seeded, startParley } from './start-parley.ts';
export { Parley, type TestAccount } from './parley.ts';
