import { classNames } from '../../browser/class-names.ts';
import { linkAddress } from '../parser/addresses.ts';
import { CardLink, Rows } from './card.tsx';
import { attribute, numberOf, otherRows, recordsOf, textOfValue, titleOf } from '../parser/tag-values.ts';
import styles from './tags.module.css';
import type { Attributes } from '../parser/tree.ts';

const tickerShown = [
  'symbol',
  'ticker',
  'primary',
  'name',
  'title',
  'price',
  'value',
  'currency',
  'change',
  'change_percent',
  'changePercent',
  'url',
  'items',
  'tickers',
];

/** The style for a rising or falling number. */
const direction = (text: string): string | undefined => {
  const number = numberOf(text);
  return number === undefined || number === 0 ? undefined : number > 0 ? styles['up'] : styles['down'];
};

/** A symbol with its price and change. */
export function TickerView({ data }: { data: Attributes }) {
  const several = recordsOf(data, 'items', 'tickers');
  if (several.length > 0)
    return (
      <div className={styles['row']}>
        {several.map((one, at) => (
          <TickerView key={at} data={one} />
        ))}
      </div>
    );
  const symbol = attribute(data, 'symbol', 'ticker', 'primary');
  const name = attribute(data, 'name', 'title');
  const change = attribute(data, 'change');
  const percent = attribute(data, 'change_percent', 'changePercent');
  const moves = [change, percent === '' ? '' : `${percent}${percent.endsWith('%') ? '' : ' %'}`].filter(
    (text) => text !== '',
  );
  return (
    <div role="group" className={classNames(styles['card'], styles['ticker'])} aria-label={symbol || name}>
      <div className={styles['line']}>
        <span className={styles['title']}>{symbol || name}</span>
        <span className={styles['price']}>
          {attribute(data, 'price', 'value')} <small>{attribute(data, 'currency')}</small>
        </span>
      </div>
      <div className={styles['line']}>
        <span className={styles['subtitle']}>{symbol === '' ? '' : name}</span>
        <span className={direction(change || percent)}>{moves.join(' · ')}</span>
      </div>
      <Rows rows={otherRows(data, tickerShown)} />
      <CardLink address={attribute(data, 'url')} />
    </div>
  );
}

const newsShown = [
  'title',
  'headline',
  'primary',
  'source',
  'publisher',
  'url',
  'link',
  'summary',
  'body',
  'text',
  'description',
  'published_at',
  'date',
  'time',
  'items',
  'articles',
  'news',
  'image',
  'image_url',
];

/** Headlines with links to their stories. */
export function NewsView({ data }: { data: Attributes }) {
  const items = recordsOf(data, 'items', 'articles', 'news');
  const head = attribute(data, 'title', 'headline', 'primary');
  if (items.length === 0)
    return (
      <div role="group" className={styles['card']} aria-label="News">
        <Story data={data} />
      </div>
    );
  return (
    <div role="group" className={styles['card']} aria-label={head || 'News'}>
      {head === '' ? null : <p className={styles['title']}>{head}</p>}
      <ul className={styles['stories']}>
        {items.map((item, at) => (
          <li key={at}>
            <Story data={item} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Story({ data }: { data: Attributes }) {
  const title = attribute(data, 'title', 'headline', 'primary') || 'Untitled';
  const address = attribute(data, 'url', 'link');
  const url = address === '' ? undefined : linkAddress(address);
  const when = attribute(data, 'published_at', 'date', 'time');
  const source = [attribute(data, 'source', 'publisher'), dateOf(when)].filter((text) => text !== '').join(' · ');
  const summary = attribute(data, 'summary', 'body', 'text', 'description');
  return (
    <>
      {url === undefined ? (
        <p className={styles['headline']}>{address === '' ? title : `${title} (${address})`}</p>
      ) : (
        <a className={styles['headline']} href={url} target="_blank" rel="noopener noreferrer nofollow" title={url}>
          {title}
        </a>
      )}
      {source === '' ? null : <p className={styles['subtitle']}>{source}</p>}
      {summary === '' ? null : <p className={styles['text']}>{summary}</p>}
      <Rows rows={otherRows(data, newsShown)} />
    </>
  );
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const dateOf = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text)) ? day.format(new Date(text)) : text;

const lists = ['positions', 'items', 'rows', 'holdings'] as const;

/** A table of positions. Its columns are the keys of the rows. */
export function PositionsView({ data }: { data: Attributes }) {
  const rows = recordsOf(data, ...lists);
  const title = attribute(data, 'title', 'name', 'primary');
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <div role="group" className={styles['card']} aria-label={title || 'Positions'}>
      {title === '' ? null : <p className={styles['title']}>{title}</p>}
      {rows.length === 0 ? null : (
        <div className={styles['tableBox']} tabIndex={0} role="group" aria-label={title || 'Positions'}>
          <table className={styles['positions']}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col" className={isNumeric(rows, column) ? styles['number'] : undefined}>
                    {titleOf(column)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <tr key={at}>
                  {columns.map((column) => (
                    <Amount
                      key={column}
                      column={column}
                      text={textOfValue(row[column])}
                      isNumber={isNumeric(rows, column)}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Rows rows={otherRows(data, ['title', 'name', 'primary', ...lists])} />
    </div>
  );
}

const isNumeric = (rows: readonly Attributes[], column: string): boolean =>
  rows.every((row) => row[column] === undefined || numberOf(textOfValue(row[column])) !== undefined);

function Amount({ column, text, isNumber }: { column: string; text: string; isNumber: boolean }) {
  const moves = /change|pnl|p&l|gain|return|profit/i.test(column);
  return <td className={classNames(isNumber && styles['number'], moves && direction(text))}>{text}</td>;
}
