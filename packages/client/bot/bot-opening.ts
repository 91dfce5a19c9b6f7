import type { Client } from '../client.ts';
import type { Intake } from './intake.ts';

/** How each bot begins to take events from a client: `start` gives it a connection, `testBot` a client without one. */
export const openWith = new WeakMap<object, (client: Client) => Intake>();
