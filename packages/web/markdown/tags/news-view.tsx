import { type Attributes, linkAddress } from '@parley/markdown';
import { Rows } from './card.tsx';
import { attribute, otherRows, recordsOf, restOf } from './tag-values.ts';
import styles from './tags.module.css';
import { t } from '../../words/t.ts';
import { dateOf } from '../../words/times.ts';

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
      <div role="group" className={styles['card']} aria-label={t('News')}>
        <Story data={data} />
      </div>
    );
  return (
    <div role="group" className={styles['card']} aria-label={head || t('News')}>
      {head === '' ? null : <p className={styles['title']}>{head}</p>}
      <ul className={styles['stories']}>
        {items.map((item, at) => (
          <li key={at}>
            <Story data={item} />
          </li>
        ))}
      </ul>
      <Rows rows={restOf(data, 'items', 'articles', 'news')} />
    </div>
  );
}

function Story({ data }: { data: Attributes }) {
  const title = attribute(data, 'title', 'headline', 'primary') || t('Untitled');
  const address = attribute(data, 'url', 'link');
  const url = address === '' ? undefined : linkAddress(address);
  const when = attribute(data, 'published_at', 'date', 'time');
  const source = [attribute(data, 'source', 'publisher'), dayIn(when)].filter((text) => text !== '').join(' · ');
  const summary = attribute(data, 'summary', 'body', 'text', 'description');
  return (
    <>
      {url === undefined ? (
        <p className="ui-medium">{address === '' ? title : `${title} (${address})`}</p>
      ) : (
        <a className="ui-medium" href={url} target="_blank" rel="noopener noreferrer nofollow" title={url}>
          {title}
        </a>
      )}
      {source === '' ? null : <p className={styles['subtitle']}>{source}</p>}
      {summary === '' ? null : <p className={styles['text']}>{summary}</p>}
      <Rows rows={otherRows(data, newsShown)} />
    </>
  );
}

const dayIn = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text)) ? dateOf(text) : text;
