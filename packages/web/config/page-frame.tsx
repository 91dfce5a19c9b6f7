import { ArrowLeft, X } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { useNavigate } from '../browser/navigation.ts';
import { hrefOf, type Route } from '../browser/route.ts';
import { IconButton } from '../ui/button.tsx';
import styles from './settings.module.css';
import { t } from '../words/t.ts';

interface FramedPage {
  readonly title: string;
  readonly icon: ReactNode;
  readonly route: Route;
  readonly isCurrent: boolean;
}

interface PageFrameProps {
  title: string;
  closeLabel: string;
  pages: readonly FramedPage[];
  /** What follows the links to the pages. */
  more?: ReactNode;
  children: ReactNode;
}

/** Several pages under one title, with a link to each: the settings, the administration. */
export function PageFrame({ title, closeLabel, pages, more, children }: PageFrameProps) {
  const navigate = useNavigate();
  const nav = useRef<HTMLElement>(null);
  const close = () => navigate({ name: 'home' });
  const open = (event: MouseEvent, route: Route) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(route, { replace: true });
  };
  const current = pages.find(({ isCurrent }) => isCurrent);
  const place = current && hrefOf(current.route);
  useEffect(() => {
    // On a phone the tabs are wider than the screen: scroll to the current one.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [place]);
  return (
    <main className={styles['settings']}>
      <header className={styles['header']}>
        <IconButton className="ui-phone-only" label={t('All conversations')} icon={<ArrowLeft />} onClick={close} />
        <h1 className="ui-grow">{title}</h1>
        <IconButton className="ui-no-phone" label={closeLabel} icon={<X />} onClick={close} />
      </header>
      <div className={styles['body']}>
        <nav ref={nav} className={styles['nav']} aria-label={title}>
          {pages.map((page) => (
            <a
              key={hrefOf(page.route)}
              className={page.isCurrent ? undefined : 'ui-hover'}
              href={hrefOf(page.route)}
              aria-current={page.isCurrent ? 'page' : undefined}
              onClick={(event) => open(event, page.route)}
            >
              {page.icon}
              {page.title}
            </a>
          ))}
          {more}
        </nav>
        <div key={place} className={styles['scroll']}>
          <div className={styles['page']}>{children}</div>
        </div>
      </div>
    </main>
  );
}
