import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { createWorld } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect } from 'vitest';
import { RawSocket } from '../helpers/raw-socket.ts';

/** Records what the service does with each connection that it accepts: corks, writes and uncorks. */
function recordConnections(): { steps: Map<Socket, string[]>; [Symbol.dispose]: () => void } {
  const steps = new Map<Socket, string[]>();
  const record = (message: unknown): void => {
    const { socket } = message as { socket: Socket }; // as the documentation of Node says
    const own: string[] = [];
    steps.set(socket, own);
    for (const name of ['cork', 'uncork', 'write'] as const) {
      const step = socket[name];
      Object.assign(socket, {
        [name](...given: unknown[]) {
          own.push(name === 'write' ? String(given[0]) : name);
          return Reflect.apply(step, socket, given);
        },
      });
    }
  };
  subscribe('net.server.socket', record);
  return { steps, [Symbol.dispose]: () => unsubscribe('net.server.socket', record) };
}

embeddedTest('several nodes ask the store for the position')(
  'SOCKET-17: the response to an upgrade and the hello are one write',
  async () => {
    await using world = await createWorld();
    const { alice } = await world.people('alice');
    // From here on nothing of the account must be loaded.
    await alice.socket();
    using connections = recordConnections();
    const socket = await RawSocket.open(world.nodeUrl, { token: 'dev:alice' });
    await socket.until(() => socket.texts[0]);
    const upgraded = [...connections.steps.values()].filter((steps) =>
      steps.some((step) => step.startsWith('HTTP/1.1 101')),
    );
    expect(upgraded).toEqual([
      ['cork', expect.stringMatching(/^HTTP\/1\.1 101/), expect.stringContaining('"events.hello"'), 'uncork'],
    ]);
  },
);
