import { Moon, Sun, SunMoon } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { isLanguage, languages } from '@parley/protocol/languages';
import { onTheme, savedTextSize, savedTheme, setTextSize, setTheme, type TextSize } from '../browser/appearance.ts';
import { classNames } from '../browser/class-names.ts';
import { Choice } from '../ui/forms/choice.tsx';
import { SelectField } from '../ui/forms/field.tsx';
import { Section } from '../ui/layout/section.tsx';
import styles from './appearance-page.module.css';
import { chosenLanguage, setLanguage } from '../words/language.ts';
import { t } from '../words/t.ts';

const themeOptions = [
  { value: 'system', label: t('System'), picture: <SunMoon aria-hidden /> },
  { value: 'light', label: t('Light'), picture: <Sun aria-hidden /> },
  { value: 'dark', label: t('Dark'), picture: <Moon aria-hidden /> },
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

const LIKE_BROWSER = 'browser';
const languageOptions = [
  { value: LIKE_BROWSER, label: t('Same as the browser') },
  ...Object.entries(languages).map(([value, { name }]) => ({ value, label: name })),
];

/** Theme, text size and language in this browser. */
export function AppearancePage() {
  const theme = useSyncExternalStore(onTheme, savedTheme);
  const size = useSyncExternalStore(onTheme, savedTextSize);
  return (
    <Section title={t('Appearance')} hint={t('Only in this browser.')}>
      <Choice label={t('Colours')} options={themeOptions} value={theme} onChange={setTheme} />
      <Choice label={t('Text size')} options={sizeOptions} value={size} onChange={setTextSize} />
      <p className={styles['sample']}>{t('Messages look like this.')}</p>
      <SelectField
        label={t('Language')}
        hint={t('When you choose another language, Parley starts again in it.')}
        options={languageOptions}
        value={chosenLanguage() ?? LIKE_BROWSER}
        onChange={({ target }) => setLanguage(isLanguage(target.value) ? target.value : null)}
      />
    </Section>
  );
}
