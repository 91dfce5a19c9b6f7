import { Moon, Sun, SunMoon } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { onTheme, savedTextSize, savedTheme, setTextSize, setTheme, type TextSize } from '../browser/appearance.ts';
import { classNames } from '../browser/class-names.ts';
import { Choice } from '../ui/forms/choice.tsx';
import { Section } from '../ui/layout/section.tsx';
import styles from './appearance-page.module.css';

const themeOptions = [
  { value: 'system', label: 'System', picture: <SunMoon size={22} aria-hidden /> },
  { value: 'light', label: 'Light', picture: <Sun size={22} aria-hidden /> },
  { value: 'dark', label: 'Dark', picture: <Moon size={22} aria-hidden /> },
] as const;
const letter = (size: TextSize) => (
  <span className={classNames(styles['letter'], styles[size])} aria-hidden="true">
    Aa
  </span>
);
const sizeOptions = [
  { value: 'small', label: 'Small', picture: letter('small') },
  { value: 'medium', label: 'Medium', picture: letter('medium') },
  { value: 'large', label: 'Large', picture: letter('large') },
  { value: 'larger', label: 'Larger', picture: letter('larger') },
] as const;

/** Theme and text size in this browser. */
export function AppearancePage() {
  const theme = useSyncExternalStore(onTheme, savedTheme);
  const size = useSyncExternalStore(onTheme, savedTextSize);
  return (
    <Section title="Appearance" hint="Only in this browser.">
      <Choice label="Colours" options={themeOptions} value={theme} onChange={setTheme} />
      <Choice label="Text" options={sizeOptions} value={size} onChange={setTextSize} />
      <p className={styles['sample']}>Messages look like this.</p>
    </Section>
  );
}
