import { createElement, Fragment, type ReactNode } from 'react';
import format, { type CompiledMessage } from 'icu-minify/format';
import { language, locale } from './language.ts';

/** Messages in one language, compiled, by the ID that the build gives to their English text. */
type Catalogue = Readonly<Record<string, CompiledMessage>>;
type Values = Readonly<Record<string, string | number | Date>>;
/** A tag of a message is an element made from its children. */
type RichValues = Readonly<Record<string, string | number | Date | ((children: ReactNode) => ReactNode)>>;

const catalogues = import.meta.glob<{ default: Catalogue }>('./catalogues/*.json');

/** The words are needed before anything is shown, but a connection that hangs must not keep the app from starting. */
const PATIENCE_MS = 5_000;
const none: Catalogue = {};

async function load(from = async () => ({ default: none })): Promise<Catalogue> {
  const late = new Promise<Catalogue>((resolve) => void setTimeout(() => resolve(none), PATIENCE_MS));
  return Promise.race([from().then(({ default: words }) => words), late]).catch(() => none);
}

const catalogue = language === 'en' ? none : await load(catalogues[`./catalogues/${language}.json`]);
/** Whether texts are in the chosen language; if its words could not be loaded, they are in English. */
export const hasWords = language === 'en' || catalogue !== none;
const shown = hasWords ? locale : 'en';

/** The build turns a message's literal into its ID and the compiled English text (compile-words.ts). */
type Built = readonly [id: string, english: CompiledMessage];

const compiled = (message: string): CompiledMessage => {
  // Source code passes the literal, the build replaces it.
  const [id, english] = message as unknown as Built;
  return catalogue[id] ?? english;
};

/** Makes each formatter once: creating one costs more than using it. */
function once<Args extends readonly unknown[], Made>(make: (...args: Args) => Made): (...args: Args) => Made {
  const made = new Map<string, Made>();
  return (...args) => {
    const key = JSON.stringify(args);
    const known = made.get(key) ?? make(...args);
    made.set(key, known);
    return known;
  };
}

const formatters = {
  getDateTimeFormat: once(
    (...args: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...args),
  ),
  getNumberFormat: once((...args: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...args)),
  getPluralRules: once((...args: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...args)),
};

/**
 * A text in the app's language. `message`: the English text as a literal, in ICU MessageFormat: `{name}`,
 * `{count, plural, one {# message} other {# messages}}`. Every such literal is in each catalogue (WEB-361).
 */
export function t(message: string, values?: Values): string {
  return String(format(compiled(message), shown, values, { formatters }));
}

/** As `t`, with elements: `Read <link>the terms</link>` takes a function `link` that wraps its children. */
export function rich(message: string, values: RichValues): ReactNode {
  const wrapped = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'function' ? (parts: ReactNode[]) => value(together(parts)) : value,
  ]);
  const parts = format<ReactNode>(compiled(message), shown, Object.fromEntries(wrapped), { formatters });
  return together(Array.isArray(parts) ? parts : [parts]);
}

const together = (parts: readonly ReactNode[]): ReactNode => createElement(Fragment, null, ...parts);
