import type { JournalPlace } from '../agents/typing-journal.ts';
import { timelineId } from '../agents/typing.ts';
import type { MemberRooms } from '../cluster/membership.ts';
import { idText } from '../core/ids.ts';
import { isFirstPerson } from '../people/first-owner.ts';
import { countOwners } from '../store/account-roles.ts';
import { accountByKey } from '../store/accounts.ts';
import { actorOf } from '../rendering/accounts.ts';
import { chatByKey } from '../store/chats.ts';
import { maskedTail, secretBinding } from '../secrets/seal.ts';
import { applyIntent, applyShared, heardElsewhere } from './apply-intent.ts';
import type { OwnUnits, SharedEngine } from './engines/engine.ts';
import type { Service } from './interface.ts';

interface StartParts {
  /** Null in a single process. */
  shared: SharedEngine | null;
  units: OwnUnits;
  life: MemberRooms['life'];
  perform: MemberRooms['perform'];
}

/**
 * Lets committed units change the memory of the service, and takes over the work that the previous process or a dead
 * node has left.
 */
export async function startUp(service: Service, { shared, units, life, perform }: StartParts): Promise<void> {
  service.units.connect({ apply: (intent) => applyIntent(service, intent) });
  if (shared)
    await shared.join(
      { ...service, units, life, perform },
      {
        heard: (event, node) => heardElsewhere(service, event, node),
        applyShared: (intent, node) => applyShared(service, intent, node),
      },
    );
  await service.files.start();
  await service.disk.look();
  if (!(await units.ensureGuide()))
    service.logger.warn('a person has the username parley, which is the service’s own: the guide has no owner');
  await openHouse(service, units);
  await adviseOwner(service);
  // Read before anything is noted, which may drop the older file.
  const formerlyTyping = service.typingJournal.read();
  // Nodes take over the work of a dead node as soon as its death is detected.
  if (!shared) await units.recoverTurns(null);
  await endFormerTyping(service, formerlyTyping);
  if (shared) return;
  if (service.settings.pushes) await service.push.recover();
}

/** Sets the house's agent as the environment says (HOUSE-2). */
async function openHouse({ config, logger, rooms }: Service, units: StartParts['units']): Promise<void> {
  const { house } = config;
  if (!house) return units.applyHouse(null);
  const { terms, apiKey } = house;
  const place = await units.prepareHouseAgent({ provider: terms.provider });
  if (!place) {
    logger.warn('HOUSE_AGENT has no effect: a person has the username parley, which is the service’s own');
    return;
  }
  const sealed = rooms.keys.seal(apiKey, secretBinding(place.agentKey, place.ownerKey, 'api_key'));
  await units.applyHouse({ terms, key: { sealed, tail: maskedTail(apiKey) } });
}

/** Says that nobody administers the service, unless the first person will (ROLE-8). */
async function adviseOwner({ read, settings, logger }: Service): Promise<void> {
  if (((await read.get(countOwners))?.count ?? 0) > 0) return;
  if (settings.signUp === 'open' && (await isFirstPerson(read))) return;
  logger.info('the service has no owner: `npm run admin -- account role NAME owner` makes one');
}

/**
 * Ends the typing that the previous process has published: clients may still show it. A daemon's stream goes on, so its
 * agent is still typing (TYPING-7).
 */
async function endFormerTyping(
  { typingJournal, typing, rooms, read }: Service,
  places: readonly JournalPlace[],
): Promise<void> {
  const open = new Set(Array.from(rooms.replies.all(), ({ info }) => `${info.agentKey}/${timelineId(info)}`));
  for (const place of places) {
    // Another node shows and ends this typing.
    if (typing.isElsewhere(place)) continue;
    // For the next start: a client may be away for both.
    typingJournal.note(place, place.at);
    if (open.has(`${place.accountKey}/${timelineId(place)}`)) continue;
    const account = await read.get(accountByKey, place.accountKey);
    const chat = await read.get(chatByKey, place.chatKey);
    if (account && chat) typing.announce({ ...place, chatId: idText(chat.id), actor: actorOf(account) }, false);
  }
}
