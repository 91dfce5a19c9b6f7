import { useEffect, useState } from 'react';
import type { Price } from '@parley/protocol';
import { useSession } from '../../../session/session.ts';
import { money, sumOfPrices } from '../../../words/money.ts';
import { t } from '../../../words/t.ts';
import { replyPrices } from '../../actions/reply-prices.ts';

const none: readonly Price[] = [];

/** What the replies of a chain have cost on the user's own keys; nothing if they have paid for none (PRICE-4). */
export function ChainPrice({ messageIds }: { messageIds: readonly string[] }) {
  const { client, may } = useSession();
  const [prices, setPrices] = useState(none);
  const ids = messageIds.join(' ');
  const mayAsk = may('getReplyPrices');
  useEffect(() => {
    if (!mayAsk || ids === '') return undefined;
    let isGone = false;
    const each = ids.split(' ').map((id) => replyPrices(client).of(id, ''));
    void Promise.all(each).then((found) => isGone || setPrices(sumOfPrices(found)));
    return () => {
      isGone = true;
    };
  }, [client, ids, mayAsk]);
  return prices.length === 0 ? null : (
    <p className="ui-about">{t('On your keys they have cost {price} so far.', { price: money(prices) })}</p>
  );
}
