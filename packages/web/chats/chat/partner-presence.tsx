import { handleOf } from '../../words/shown-name.ts';
import { useEffect, useState } from 'react';
import type { Participant } from '@parley/protocol';
import { useCell } from '../../session/use-cell.ts';
import { useStore } from '../../session/session.ts';
import { lastSeen } from '../../words/last-seen.ts';
import { t } from '../../words/t.ts';

const MINUTE_MS = 60_000;

/** Whether the partner of a direct chat is online, otherwise who it is (WEB-251). */
export function PartnerPresence({ partner }: { partner: Participant }) {
  const presence = useCell(useStore().presence(partner.username));
  const seenAt = presence?.last_seen_at;
  const [, setMinutes] = useState(0);
  useEffect(() => {
    if (seenAt === undefined) return undefined;
    const timer = setInterval(() => setMinutes((minutes) => minutes + 1), MINUTE_MS);
    return () => clearInterval(timer);
  }, [seenAt]);
  if (partner.kind === 'agent')
    return presence?.status === 'offline'
      ? t('agent · not running right now')
      : t('agent · @{username}', { username: partner.username });
  if (presence?.status === 'online') return t('online');
  return seenAt === undefined ? handleOf(partner.username) : lastSeen(seenAt);
}
