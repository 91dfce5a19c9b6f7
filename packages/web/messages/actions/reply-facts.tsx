import type { StoredMessage } from '@parley/client/store';
import type { Price } from '@parley/protocol';
import { useEffect, useState } from 'react';
import { nowAndWhenLive } from '../../session/now-and-when-live.ts';
import { useSession } from '../../session/session.ts';
import { useMessageRow } from '../../session/use-message-row.ts';
import { classNames } from '../../browser/class-names.ts';
import { duration } from '../../words/duration.ts';
import { money } from '../../words/money.ts';
import styles from './reply-facts.module.css';
import { replyPrices } from './reply-prices.ts';
import { askerOf } from '../../session/asker-of.ts';
import { t } from '../../words/t.ts';

/** How long a finished reply of an agent took, its tokens and, to the one who paid for it, its price. */
export function ReplyFacts({ message, isLine = false }: { message: StoredMessage; isLine?: boolean }) {
  const { status, sender, created_at, finalized_at, forwarded_from, usage } = message;
  const prices = usePrices(message);
  if (sender.kind !== 'agent' || status === 'streaming' || finalized_at === undefined || forwarded_from) return null;
  const tookMs = Date.parse(finalized_at) - Date.parse(created_at);
  return (
    <span className={classNames(styles['facts'], isLine && styles['line'])} data-facts>
      <span title={t('How long the reply took')}>{duration(tookMs)}</span>
      {usage ? (
        <span title={t('Tokens that the model read and wrote')}>
          {t('{read, number} tokens read, {written, number} written', {
            read: usage.input_tokens,
            written: usage.output_tokens,
          })}
        </span>
      ) : null}
      {prices.length > 0 ? <span title={t('What it cost on your key')}>{money(prices)}</span> : null}
    </span>
  );
}

const none: readonly Price[] = [];

/** Asks only for replies that the user may have paid for, as the agent's owner or as the asker. */
function usePrices(message: StoredMessage): readonly Price[] {
  const { client, store, username, may } = useSession();
  const { id, sender, finalized_at = '', usage, reply_to_id } = message;
  // Renders again when the question is loaded.
  useMessageRow(reply_to_id ?? '');
  const [prices, setPrices] = useState(none);
  const isModels = sender.agent_provider === 'provider_a' || sender.agent_provider === 'provider_b';
  const mayHavePaid =
    may('getReplyPrices') &&
    isModels &&
    usage !== undefined &&
    (sender.parent_username === username || askerOf(store, message) === username);
  useEffect(() => {
    if (!mayHavePaid) return undefined;
    let isGone = false;
    const end = nowAndWhenLive(client, () => {
      void replyPrices(client)
        .of(id, finalized_at)
        .then((found) => isGone || setPrices(found));
    });
    return () => {
      isGone = true;
      end();
    };
  }, [client, id, finalized_at, mayHavePaid]);
  return mayHavePaid ? prices : none;
}
