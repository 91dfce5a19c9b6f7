import type { PartOf } from '@parley/protocol';
import { BookOpen } from 'lucide-react';
import { memo, type ReactNode, useMemo } from 'react';
import { Fold } from './fold.tsx';
import { type ListedSource, listedSources } from './listed-sources.ts';
import styles from './parts.module.css';
import { t } from '../../../words/t.ts';

/** Maximum number of chips; the list has all sources. */
const MAX_CHIPS = 3;

interface SourceListProps {
  parts: readonly PartOf<'source'>[];
}

/** Where a reply is from: numbered chips, which unfold to a list with titles, hosts and excerpts. */
export const SourceList = memo(function SourceList({ parts }: SourceListProps) {
  const sources = useMemo(() => listedSources(parts), [parts]);
  const line = (
    <>
      <BookOpen aria-hidden />
      <span>{t('{count, plural, one {# source} other {# sources}}', { count: sources.length })}</span>
    </>
  );
  const chips = sources.slice(0, MAX_CHIPS).map((source) => (
    <Address key={source.url} source={source} className={styles['chip']}>
      <span className={styles['number']}>{source.number}</span>
      <span className="ui-cut" dir="auto">
        {source.label}
      </span>
    </Address>
  ));
  const list = () => (
    <ol className={styles['list']}>
      {sources.map((source) => (
        <li key={source.url}>
          <span className={styles['number']} aria-hidden>
            {source.number}
          </span>
          <div className="ui-shrink">
            <Address source={source} className={styles['title']}>
              <span dir="auto">{source.title || source.url}</span>
            </Address>
            {source.host === '' ? null : <span className={styles['host']}>{source.host}</span>}
            {source.excerpts.map((excerpt) => (
              <blockquote key={excerpt} className={styles['excerpt']} dir="auto">
                {excerpt}
              </blockquote>
            ))}
          </div>
        </li>
      ))}
    </ol>
  );
  return (
    <div className={styles['sources']} role="group" aria-label={t('Sources')} data-sources>
      <Fold line={line} folded={chips}>
        {list}
      </Fold>
    </div>
  );
}, haveSameParts);

/** The list of parts is a new one with each piece of a thought. */
function haveSameParts({ parts: former }: SourceListProps, { parts }: SourceListProps): boolean {
  return parts.length === former.length && parts.every((part, at) => part === former[at]);
}

interface AddressProps {
  source: ListedSource;
  className: string | undefined;
  children: ReactNode;
}

function Address({ source: { href, host, title, url }, className, children }: AddressProps) {
  if (href === undefined) return <span className={className}>{children}</span>;
  const tip = title === '' ? url : `${title} (${host})`;
  return (
    <a className={className} href={href} target="_blank" rel="noopener noreferrer" title={tip}>
      {children}
    </a>
  );
}
