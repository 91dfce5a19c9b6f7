import { colorNames } from './colors.ts';

type Kind = (typeof colorNames)[number];

/** TextMate's scopes by what they are. A later, longer scope takes precedence, as in every theme. */
const scopes: readonly (readonly [Kind, readonly string[]])[] = [
  [
    'comment',
    ['comment', 'punctuation.definition.comment', 'string.quoted.docstring', 'meta.diff.header', 'markup.quote'],
  ],
  [
    'string',
    [
      'string',
      'punctuation.definition.string',
      'markup.inline.raw',
      'markup.fenced_code',
      'markup.inserted',
      'meta.attribute.quoted',
    ],
  ],
  [
    'constant',
    [
      'constant',
      'support.constant',
      'variable.language',
      'markup.underline.link',
      'keyword.other.unit',
      'variable.other.constant.property',
    ],
  ],
  [
    'keyword',
    [
      'keyword',
      'storage',
      'storage.type',
      'markup.deleted',
      'markup.bold',
      'punctuation.definition.heading',
      'keyword.operator.new',
      'keyword.operator.expression',
      'keyword.operator.word',
    ],
  ],
  ['plain', ['keyword.operator', 'punctuation', 'meta.template.expression', 'storage.type.function.arrow']],
  [
    'function',
    [
      'entity.name.function',
      'support.function',
      'meta.function-call.generic',
      'variable.function',
      'markup.heading',
      'entity.name.section',
      'entity.other.attribute-name',
      'support.type.property-name',
    ],
  ],
  [
    'type',
    [
      'entity.name.type',
      'entity.name.class',
      'entity.name.namespace',
      'entity.name.tag',
      'entity.other.inherited-class',
      'support.type',
      'support.class',
      'storage.type.java',
      'storage.type.cs',
      'meta.return-type',
    ],
  ],
];

// A theme's colours have to be colours; these only name an index.
const hexOf = (kind: Kind): string => `#00000${colorNames.indexOf(kind)}`;

export const theme = {
  name: 'parley',
  type: 'light' as const,
  fg: hexOf('plain'),
  bg: '#ffffff',
  settings: [
    { settings: { foreground: hexOf('plain') } },
    ...scopes.map(([kind, scope]) => ({ scope: [...scope], settings: { foreground: hexOf(kind) } })),
  ],
};

/** The index of a token's colour. */
export const colorOf = (color: string | undefined): number => Number(color?.at(-1) ?? 0) || 0;
