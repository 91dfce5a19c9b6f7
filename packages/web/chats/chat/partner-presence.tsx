import type { Chat } from '@parley/client/store';
import type { Participant } from '@parley/protocol';
import { useEffect, useState } from 'react';
import { useCell } from '../../session/use-cell.ts';
import { useStore } from '../../session/session.ts';
import { useMessageRow } from '../../session/use-message-row.ts';
import { lastSeen } from '../../words/last-seen.ts';
import { handleOf, hasOwnersShown } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import { isOutOfReach } from './reach.ts';

const MINUTE_MS = 60_000;

/** Whether the partner of a direct chat is online, or an agent can be reached, otherwise who it is (WEB-401). */
export function PartnerPresence({ chat, partner }: { chat: Chat; partner: Participant }) {
  const presence = useCell(useStore().presence(partner.username));
  const newest = useMessageRow(chat.last_message_id ?? '');
  const seenAt = presence?.last_seen_at;
  const [nowMs, setNowMs] = useState(Date.now);
  const changes = seenAt !== undefined || newest?.status === 'failed';
  useEffect(() => {
    if (!changes) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, [changes]);
  if (partner.kind === 'agent') {
    if (presence?.status === 'offline') return t('agent · not running right now');
    if (isOutOfReach(newest, partner.username, nowMs)) return t('agent · couldn’t be reached just now');
    return !hasOwnersShown() ? t('agent') : t('agent · @{username}', { username: partner.username });
  }
  if (presence?.status === 'online') return t('online');
  return seenAt === undefined ? handleOf(partner.username) : lastSeen(seenAt);
}
