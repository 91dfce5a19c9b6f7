import type { MemberRooms } from '../cluster/membership.ts';
import { applyIntent, applyShared, heardElsewhere } from './apply-intent.ts';
import type { OwnUnits, SharedEngine } from './engines/engine.ts';
import type { Service } from './interface.ts';

interface StartParts {
  /** Null in a single process. */
  shared: SharedEngine | null;
  units: OwnUnits;
  perform: MemberRooms['perform'];
}

/** Connects the parts of a service, and takes over the work that the previous process or a dead node has left. */
export async function startUp(service: Service, { shared, units, perform }: StartParts): Promise<void> {
  connect(service);
  if (shared)
    await shared.join(
      { ...service, isDraining: () => service.isDraining, units, perform },
      {
        heard: (event, node) => heardElsewhere(service, event, node),
        applyShared: (intent, node) => applyShared(service, intent, node),
      },
    );
  await service.files.start();
  await service.disk.look();
  await units.ensureGuide();
  // Nodes take over the work of a dead node as soon as its death is detected.
  if (shared) return;
  await units.recoverTurns(null);
  if (service.settings.pushes) await service.push.recover();
}

/** Subscribes parts to committed intents, and to sockets that open and close. */
function connect(service: Service): void {
  const { units, sockets, presence, typing, push, others, authenticator } = service;
  units.onIntent = (intent) => applyIntent(service, intent);
  sockets.onLast = (accountKey) => void typing.socketGone(accountKey);
  sockets.onCame = ({ caller }) => {
    others.came(caller.key);
    presence.changed(caller.key);
  };
  sockets.onGone = (session, isClean) => {
    const { caller, connection } = session;
    const { heardAt } = connection;
    presence.forget(session);
    presence.changed(caller.key);
    if (caller.sessionKey !== null) authenticator.socketClosed(caller.sessionKey);
    push.socketGone(caller.key, heardAt, isClean);
    push.askTakeBacks(caller.key);
    others.went(caller.key, heardAt, isClean);
  };
}
