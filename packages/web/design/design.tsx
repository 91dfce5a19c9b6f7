// The parts that the app's pages are made of, on one page, for who changes them: /design of `npm run dev:web`. It is no
// part of a build. `?theme=dark&dir=rtl` chooses how they are shown. May import: browser, words, ui.
import { DirectionProvider } from '@base-ui/react/direction-provider';
import { Inbox, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '../styles/tokens.css';
import '../styles/primitives.css';
import { applyTheme, themes } from '../browser/appearance.ts';
import { Navigation } from '../browser/navigation.ts';
import { Overlays } from '../browser/overlays.ts';
import { PageContext } from '../browser/page.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { CheckMark } from '../ui/check-mark.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Checkbox } from '../ui/forms/checkbox.tsx';
import { Choice } from '../ui/forms/choice.tsx';
import { Field, SelectField, TextField } from '../ui/forms/field.tsx';
import { Switch } from '../ui/forms/switch.tsx';
import { Buttons } from '../ui/layout/buttons.tsx';
import { Section } from '../ui/layout/section.tsx';
import { Tabs } from '../ui/layout/tabs.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { Menu } from '../ui/overlays/menu.tsx';
import { Done } from '../ui/states/done.tsx';
import { EmptyState } from '../ui/states/empty-state.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { SkeletonRows } from '../ui/states/skeleton-rows.tsx';
import { Spinner } from '../ui/states/spinner.tsx';
import styles from './design.module.css';

const query = new URLSearchParams(location.search);
const direction = query.get('dir') === 'rtl' ? 'rtl' : 'ltr';
document.documentElement.dir = direction;
applyTheme(themes.find((theme) => theme === query.get('theme')) ?? 'system');

const sizes = ['--text-1', '--text-2', '--text-3', '--text-4', '--text-5', '--text-6'] as const;
const spaces = ['--space-0', '--space-1', '--space-2', '--space-3', '--space-4', '--space-5', '--space-6'] as const;
const corners = ['--radius-1', '--radius-2', '--radius-3', '--round'] as const;
const colours = [
  '--paper',
  '--surface',
  '--surface-sunk',
  '--surface-raised',
  '--line',
  '--line-strong',
  '--ink',
  '--ink-soft',
  '--ink-faint',
  '--accent',
  '--accent-soft',
  '--own',
  '--warn',
  '--warn-soft',
  '--danger',
  '--danger-soft',
] as const;
const choices = [
  { value: 'one', label: 'One' },
  { value: 'two', label: 'Two' },
] as const;
const shapes = ['middle', 'wide', 'full', 'sheet', 'bottom'] as const;
const nothing = (): void => undefined;

/** A part, which its test finds by its name. */
const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <Section title={name}>
    <div className={styles['part']} data-part={name}>
      {children}
    </div>
  </Section>
);

function Forms() {
  const [choice, setChoice] = useState<'one' | 'two'>('one');
  const [isOn, setIsOn] = useState(true);
  return (
    <>
      <Part name="fields">
        <Field label="Name" hint="What others see." defaultValue="Ann" />
        <Field label="Username" error="Use only the letters a to z, digits and _." defaultValue="With Blanks" />
        <Field label="Address" readOnly defaultValue="https://example.com" />
        <TextField label="Instructions" defaultValue="Several lines" />
        <SelectField label="Language" options={choices} defaultValue="two" />
      </Part>
      <Part name="choices">
        <Choice label="Who may use it" options={choices} value={choice} onChange={setChoice} />
        <Switch label="Sound" hint="Of new messages." isOn={isOn} onChange={setIsOn} />
        <Switch label="Off" isOn={false} onChange={nothing} isDisabled />
        <Checkbox label="Search" hint="It costs tokens." isChecked={isOn} onChange={setIsOn} />
        <CheckMark isChecked />
        <CheckMark isChecked={false} />
      </Part>
    </>
  );
}

function OpenedLayers() {
  const [shape, setShape] = useState<(typeof shapes)[number] | null>(null);
  return (
    <Part name="layers">
      <Menu
        trigger={<Button>Menu</Button>}
        items={[
          { label: 'Edit', icon: <Pencil />, onSelect: nothing },
          null,
          { label: 'Delete', icon: <Trash2 />, isDanger: true, onSelect: nothing },
        ]}
      />
      {shapes.map((one) => (
        <Button key={one} onClick={() => setShape(one)}>
          Dialog: {one}
        </Button>
      ))}
      {shape === null ? null : (
        <Dialog
          title={shape}
          shape={shape}
          isOpen
          onClose={() => setShape(null)}
          footer={<Button onClick={() => setShape(null)}>Done</Button>}
        >
          <p>What stands in it.</p>
        </Dialog>
      )}
    </Part>
  );
}

const Design = () => (
  <main className={styles['page']}>
    <h1>Parts of the app</h1>
    <Part name="type">
      {sizes.map((size) => (
        <p key={size} style={{ margin: 0, fontSize: `var(${size})` }}>
          {size} Sphinx of black quartz
        </p>
      ))}
      <p className="ui-label">A label</p>
      <p className="ui-hint">A hint</p>
      <p className="ui-about">What is about it</p>
      <p className="ui-error">What is wrong</p>
      <code>code</code>
    </Part>
    <Part name="spaces">
      {spaces.map((space) => (
        <span key={space} className={styles['space']} style={{ width: `var(${space})` }} title={space} />
      ))}
      {corners.map((corner) => (
        <span key={corner} className={styles['corner']} style={{ borderRadius: `var(${corner})` }} title={corner} />
      ))}
    </Part>
    <Part name="colours">
      {colours.map((colour) => (
        <span key={colour} className={styles['colour']} style={{ background: `var(${colour})` }} title={colour} />
      ))}
    </Part>
    <Part name="buttons">
      {(['primary', 'plain', 'quiet', 'danger'] as const).map((look) => (
        <Button key={look} look={look}>
          {look}
        </Button>
      ))}
      <Button size="small">Small</Button>
      <Button isBusy>Busy</Button>
      <IconButton label="Edit" icon={<Pencil />} />
      <IconButton label="Chosen" icon={<Pencil />} isPressed />
      <Buttons>
        <Button>Cancel</Button>
        <Button look="primary">Save</Button>
      </Buttons>
    </Part>
    <Forms />
    <Part name="people">
      {(['human', 'agent', 'group'] as const).map((kind) => (
        <Avatar key={kind} name={`Some ${kind}`} username={kind} kind={kind} size={44} />
      ))}
      <span className="ui-count">7</span>
    </Part>
    <Part name="states">
      <EmptyState icon={<Inbox />} title="Nothing here yet. Start with the pencil.">
        <Button size="small">Start</Button>
      </EmptyState>
      <Problem text="It could not be loaded." onRetry={nothing} />
      <Done>Saved</Done>
      <Spinner />
      <div className={styles['list']}>
        <SkeletonRows label="Loading" />
      </div>
    </Part>
    <Part name="layout">
      <Facts>
        <Fact name="Server">example.com</Fact>
        <Fact name="Account">ann</Fact>
      </Facts>
      <Tabs
        label="Sheets"
        tabs={[
          { name: 'First', content: 'One' },
          { name: 'Second', content: 'Two' },
        ]}
      />
    </Part>
    <OpenedLayers />
    <Part name="motion">
      <span className={styles['moving']} />
    </Part>
  </main>
);

const root = document.querySelector('#root');
if (!root) throw new Error('the page has no #root element');
const overlays = new Overlays();
createRoot(root).render(
  <StrictMode>
    <PageContext
      value={{
        overlays,
        navigation: new Navigation(overlays),
        loadedScripts: new Set(),
        beside: { chatId: null },
      }}
    >
      <DirectionProvider direction={direction}>
        <Design />
      </DirectionProvider>
    </PageContext>
  </StrictMode>,
);
