import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript';
import {
  codeToTokensBase,
  createShikiPrimitiveAsync,
  getLastGrammarState,
  type ShikiPrimitive,
  type ThemedToken,
} from '@shikijs/primitive';
import type { BlockGone, ColorReply, ColorRequest, LineColors } from './colors.ts';
import { grammars } from './grammars.ts';
import { colorOf, theme } from './theme.ts';

/** Lines per answer, so that a long block shows its first colours early. */
const LINES_AT_ONCE = 100;
const MAX_LINE_LENGTH = 2_000;

type GrammarState = ReturnType<typeof getLastGrammarState>;

interface KnownBlock {
  language: string;
  /** The grammar's state after each line. */
  states: GrammarState[];
}

interface WorkerScope {
  addEventListener(type: 'message', listener: (event: { data: ColorRequest | BlockGone }) => void): void;
  postMessage(reply: ColorReply): void;
}

const scope = globalThis as unknown as WorkerScope; // a worker's global object, which the page's types do not describe
const blocks = new Map<number, KnownBlock>();
let shiki: Promise<ShikiPrimitive> | undefined;
let done: Promise<void> = Promise.resolve();

scope.addEventListener('message', ({ data }) => {
  if ('gone' in data) blocks.delete(data.gone);
  else done = done.then(() => colorize(data)).catch(() => finish(data));
});

/** Answers without colours: what the grammar cannot read stays as it is. */
const finish = ({ block, kept }: ColorRequest): void =>
  scope.postMessage({ block, from: kept, colors: [], isDone: true });

async function colorize(request: ColorRequest): Promise<void> {
  const { block, language, kept, lines } = request;
  const highlighter = await withGrammar(language);
  scope.postMessage({ block, from: kept, colors: [], isDone: false });
  let known = blocks.get(block);
  if (known?.language !== language) blocks.set(block, (known = { language, states: [] }));
  known.states.length = Math.min(known.states.length, kept);
  for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
    const piece = lines.slice(from, from + LINES_AT_ONCE);
    const colors = piece.map((line) => lineColors(highlighter, known, line));
    scope.postMessage({ block, from: kept + from, colors, isDone: from + piece.length >= lines.length });
  }
  if (lines.length === 0) finish(request);
}

async function withGrammar(language: string): Promise<ShikiPrimitive> {
  const load = grammars[language];
  if (!load) throw new Error(`no grammar for ${language}`);
  shiki ??= createShikiPrimitiveAsync({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const highlighter = await shiki;
  if (!highlighter.getLoadedLanguages().includes(language)) {
    const { default: registrations } = await load();
    await highlighter.loadLanguage(...registrations);
  }
  return highlighter;
}

function lineColors(highlighter: ShikiPrimitive, known: KnownBlock, line: string): LineColors {
  const grammarState = known.states.at(-1);
  const tokens = codeToTokensBase(highlighter, line, {
    lang: known.language,
    theme: theme.name,
    ...(grammarState && { grammarState }),
    tokenizeMaxLineLength: MAX_LINE_LENGTH,
    // No limit: a line that was given up would colour all that follow wrongly. The page replaces a worker that is silent.
    tokenizeTimeLimit: 0,
  });
  const state = getLastGrammarState(highlighter, tokens);
  if (state) known.states.push(state);
  return joined(tokens.flat());
}

/** Adjacent tokens of one colour are one piece. */
function joined(tokens: readonly ThemedToken[]): number[] {
  const colors: number[] = [];
  for (const { content, color } of tokens) {
    const index = colorOf(color);
    if (colors.at(-1) === index) colors[colors.length - 2] = (colors.at(-2) ?? 0) + content.length;
    else colors.push(content.length, index);
  }
  return colors;
}
