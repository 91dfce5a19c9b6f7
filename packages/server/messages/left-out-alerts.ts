// The alerts that tell a human which agents were not fired on their behalf (DISPATCH-17, TURN-16).
import type { AlertCause } from '@parley/protocol';
import { CHAIN_MS } from '../rules/who-pays.ts';
import { lastAlert, markAlert, lastUnpromptedAlert, markUnpromptedAlert } from '../store/turns.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { accountScope } from '../core/event-kinds.ts';
import { actorOf } from '../rendering/accounts.ts';
import { hasBlocked } from '../store/blocks.ts';
import type { ParticipantRow } from '../store/chats.ts';
import type { Origin } from './firing-origin.ts';

/** Maximum number of agents that an alert names; the others are counted. */
const NAMES_IN_ALERT = 100;
/** Minimum time between two alerts of a human about agents' messages of one chain, or of unprompted bots. */
const ALERT_PAUSE_MS = 60_000;

interface LeftOut {
  sender: { key: number; kind: 'human' | 'agent' };
  origin: Origin;
  /** Left out by the limits of DISPATCH-11, DISPATCH-12 and DISPATCH-16. */
  leftOut: readonly ParticipantRow[];
  /** Left out because too many firings wait (TURN-16). */
  refused: readonly ParticipantRow[];
}

type Call = Pick<UnitCall, 'tx' | 'now' | 'settings' | 'emit'>;

/** Why agents did not run: for people, and as data. */
type Why = { reason: string } & Pick<
  Extract<AlertCause, { kind: 'agents_left_out' }>,
  'limit' | 'per_message' | 'in_all'
>;

/** Sends the alerts about a message to the human on whose behalf the agents would have run. */
export async function alertOfLeftOut(call: Call, { sender, origin, leftOut, refused }: LeftOut): Promise<void> {
  if (leftOut.length === 0 && refused.length === 0) return;
  if (sender.kind === 'agent' && !(await mayAlert(call, sender.key, origin))) return;
  const { firingsPerMessage, firingsPerHumanMessage, unpromptedFiringsPerHour } = call.settings;
  const total = origin.isUnprompted
    ? `all messages that your bots send unprompted at most ${unpromptedFiringsPerHour} an hour`
    : `with all replies that follow from it at most ${firingsPerHumanMessage}`;
  const reason = `a message reaches at most ${firingsPerMessage} agents, and ${total}`;
  alert(call, origin.humanKey, leftOut, {
    reason,
    limit: origin.isUnprompted ? 'unprompted' : 'message',
    per_message: firingsPerMessage,
    in_all: origin.isUnprompted ? unpromptedFiringsPerHour : firingsPerHumanMessage,
  });
  alert(call, origin.humanKey, refused, {
    reason: 'too many of your messages wait for one already. Ask again later',
    limit: 'waiting',
  });
}

/**
 * Whether an agent's message may alert the human. It may not if the human has blocked the agent or its owner; otherwise
 * at most once a minute per chain, or for all unprompted messages of an owner's bots together. Records the alert.
 */
async function mayAlert({ tx, now }: Call, senderKey: number, origin: Origin): Promise<boolean> {
  const { humanKey, rootMessageKey, isUnprompted } = origin;
  if (await hasBlocked(tx, humanKey, senderKey)) return false;
  const since = now - CHAIN_MS;
  const last = isUnprompted
    ? await tx.get(lastUnpromptedAlert, humanKey, since)
    : await tx.get(lastAlert, rootMessageKey);
  if (last && last.at !== null && Math.abs(now - last.at) < ALERT_PAUSE_MS) return false;
  if (isUnprompted) await tx.run(markUnpromptedAlert, humanKey, since, now);
  else await tx.run(markAlert, rootMessageKey, now);
  return true;
}

function alert(
  call: Pick<UnitCall, 'emit'>,
  humanKey: number,
  agents: readonly ParticipantRow[],
  { reason, ...limit }: Why,
): void {
  const [first] = agents;
  if (!first) return;
  const listed = agents.slice(0, NAMES_IN_ALERT);
  const named = listed.map(({ display_name, username }) => `${display_name} (@${username})`);
  const more = agents.length > named.length ? ` and ${agents.length - named.length} more` : '';
  const text = `No reply to this from ${named.join(', ')}${more}: ${reason}.`;
  call.emit({
    scope: accountScope(humanKey),
    kind: 'alert',
    params: {
      text,
      level: 'error',
      from: actorOf(first),
      cause: { kind: 'agents_left_out', ...limit, agents: listed.map(actorOf), count: agents.length },
    },
  });
}
