import { Moon, Sun, SunMoon } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { onTheme, savedTextSize, savedTheme, setTextSize, setTheme, type TextSize } from '../browser/appearance.ts';
import { classNames } from '../browser/class-names.ts';
import { Choice } from '../ui/forms/choice.tsx';
import { Section } from '../ui/layout/section.tsx';
import styles from './appearance-page.module.css';
import { t } from '../words/t.ts';

const themeOptions = [
  { value: 'system', label: t('System'), picture: <SunMoon size={22} aria-hidden /> },
  { value: 'light', label: t('Light'), picture: <Sun size={22} aria-hidden /> },
  { value: 'dark', label: t('Dark'), picture: <Moon size={22} aria-hidden /> },
] as const;
const letter = (size: TextSize) => (
  <span className={classNames(styles['letter'], styles[size])} aria-hidden="true">
    {t('Aa')}
  </span>
);
const sizeOptions = [
  { value: 'small', label: t('Small'), picture: letter('small') },
  { value: 'medium', label: t('Medium'), picture: letter('medium') },
  { value: 'large', label: t('Large'), picture: letter('large') },
  { value: 'larger', label: t('Larger'), picture: letter('larger') },
] as const;

/** Theme and text size in this browser. */
export function AppearancePage() {
  const theme = useSyncExternalStore(onTheme, savedTheme);
  const size = useSyncExternalStore(onTheme, savedTextSize);
  return (
    <Section title={t('Appearance')} hint={t('Only in this browser.')}>
      <Choice label={t('Colours')} options={themeOptions} value={theme} onChange={setTheme} />
      <Choice label={t('Text')} options={sizeOptions} value={size} onChange={setTextSize} />
      <p className={styles['sample']}>{t('Messages look like this.')}</p>
    </Section>
  );
}
