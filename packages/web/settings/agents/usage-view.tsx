import { handleOf } from '../../words/shown-name.ts';
import { useSession } from '../../session/session.ts';
import { classNames } from '../../browser/class-names.ts';
import { money } from '../../words/money.ts';
import { chatTitle } from '../../chats/chat/chat-title.ts';
import settings from '../../config/settings.module.css';
import { type AgentUsage, guestTokens, type UsageItem } from '../../session/usage.ts';
import styles from './usage-view.module.css';
import { locale } from '../../words/language.ts';
import { t } from '../../words/t.ts';

const numbers = new Intl.NumberFormat(locale);
const MAX_ROWS = 30;
/** Share of a limit at which the owner was warned (BUDGET-5). */
const NEAR = 0.8;

interface UsageViewProps {
  usage: AgentUsage;
  cap: number | null;
  /** Whether the agent answers with keys: the owner's, or those of other users. */
  hasKey?: boolean;
}

/** An agent's usage this month, its share of the limit, and who used it. */
export function UsageView({ usage, cap, hasKey = false }: UsageViewProps) {
  const { username } = useSession();
  const guests = hasKey ? guestTokens(usage, username) : 0;
  const total = usage.input + usage.output;
  const share = cap === null ? null : cap === 0 ? 1 : Math.min(1, total / cap);
  const hasPrices = usage.prices.length > 0;
  return (
    <div className={styles['usage']}>
      <p className={styles['total']}>
        {totalText(usage, cap)}
        {share === 1 ? ` ${t('It answers again next month, or when you raise the limit.')}` : ''}
        {share !== null && share >= NEAR && share < 1 ? ` ${t('It’s close to its limit.')}` : ''}
        {guests > 0 ? ` ${t('Others used {tokens, number} on your key.', { tokens: guests })}` : ''}
      </p>
      {share === null ? null : (
        <div
          className={styles['meter']}
          role="meter"
          aria-label={t('Share of the limit')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(share * 100)}
        >
          <span className={classNames(share >= NEAR && styles['full'])} style={{ width: `${share * 100}%` }} />
        </div>
      )}
      {usage.items.length === 0 ? null : (
        <details className={settings['more']}>
          <summary>{t('Who used it')}</summary>
          <div className="ui-scroll-x" role="region" aria-label={t('Who used it')} tabIndex={0}>
            <table className={styles['table']}>
              <thead>
                <tr>
                  <th scope="col">{t('Who and where')}</th>
                  <th scope="col">{t('Tokens read')}</th>
                  <th scope="col">{t('Tokens written')}</th>
                  {hasKey ? <th scope="col">{t('On your key')}</th> : null}
                  {hasPrices ? <th scope="col">{t('Your cost')}</th> : null}
                  <th scope="col">{t('Replies')}</th>
                </tr>
              </thead>
              <tbody>
                {usage.items.slice(0, MAX_ROWS).map((item) => (
                  <UsageRow
                    key={`${item.username} ${item.conversation_id}`}
                    item={item}
                    hasKey={hasKey}
                    hasPrices={hasPrices}
                  />
                ))}
              </tbody>
            </table>
          </div>
          {usage.items.length > MAX_ROWS ? (
            <p className="ui-about">
              {t('And {count, plural, one {# smaller one} other {# smaller ones}}.', {
                count: usage.items.length - MAX_ROWS,
              })}
            </p>
          ) : null}
        </details>
      )}
    </div>
  );
}

function totalText({ input, output, replies, prices }: AgentUsage, cap: number | null): string {
  const total = input + output;
  const cost = money(prices);
  if (cap === null) {
    if (total === 0) return t('Nothing used this month.');
    return cost === ''
      ? t('{total, number} tokens this month, in {replies, plural, one {# reply} other {# replies}}.', {
          total,
          replies,
        })
      : t(
          '{total, number} tokens this month, in {replies, plural, one {# reply} other {# replies}}, for {cost} on your key.',
          { total, replies, cost },
        );
  }
  return cost === ''
    ? t('{total, number} of {cap, number} tokens this month, in {replies, plural, one {# reply} other {# replies}}.', {
        total,
        cap,
        replies,
      })
    : t(
        '{total, number} of {cap, number} tokens this month, in {replies, plural, one {# reply} other {# replies}}, for {cost} on your key.',
        { total, cap, replies, cost },
      );
}

function UsageRow({ item, hasKey, hasPrices }: { item: UsageItem; hasKey: boolean; hasPrices: boolean }) {
  const { store, username } = useSession();
  const chat = store.chat(item.conversation_id).get();
  return (
    <tr>
      <td>
        {item.username === username ? t('You') : handleOf(item.username)}
        {chat ? ` · ${chatTitle(chat, username)}` : ''}
      </td>
      <td>{numbers.format(item.input_tokens)}</td>
      <td>{numbers.format(item.output_tokens)}</td>
      {hasKey ? <td>{numbers.format(item.owner_key_tokens)}</td> : null}
      {hasPrices ? <td>{money(item.prices)}</td> : null}
      <td>{numbers.format(item.replies)}</td>
    </tr>
  );
}
