import { defineConfig, type OxlintOverride } from 'oxlint';

// Rooms from the bottom up. A room imports only from rooms on earlier lines, types included; rooms on one line do not
// import each other.

const serverRooms = [
  ['core'],
  ['outbound'],
  ['rules'],
  ['readers'],
  ['store'],
  ['rendering'],
  ['access'],
  ['secrets'],
  ['commits'],
  ['previews'],
  ['log'],
  ['files'],
  ['code'],
  ['library'],
  ['push'],
  ['messages'],
  ['replies'],
  ['tools'],
  ['agents'],
  ['recovery'],
  ['conversations'],
  ['people'],
  ['search', 'exports', 'sockets', 'webhooks'],
  ['own-tools'],
  ['operations', 'units'],
  ['calls'],
  ['cluster'],
  ['service'],
  ['transport', 'admin'],
];

const webRooms = [
  ['browser'],
  ['words'],
  ['calls'],
  ['ui'],
  ['design'],
  ['session'],
  ['emoji', 'diagrams'],
  ['config'],
  ['markdown'],
  ['files'],
  ['chats'],
  ['composer'],
  ['messages'],
  ['notifications'],
  ['settings'],
  ['admin'],
  ['agent-page'],
  ['shelf'],
  ['app'],
  ['widget'],
];

interface Imports {
  /** Modules by their exact name. */
  paths?: (string | { name: string; allowTypeImports: boolean; message: string })[];
  patterns?: { group: string[]; message: string }[];
}

const network: Imports = { paths: ['fastify', 'ws', 'pino', 'node:http', 'node:net'] };

/** What else these rooms of the server must not import. */
const serverRestrictions: Record<string, Imports> = {
  rules: {
    patterns: [
      {
        group: ['node:*', '../**', '@parley/*', '!@parley/markdown', '!@parley/protocol'],
        message: 'Decisions are pure functions of their arguments; only other pure functions may be imported.',
      },
    ],
  },
  store: network,
  commits: network,
  messages: network,
  replies: network,
  conversations: network,
  people: network,
  operations: network,
  units: network,
};

/** What clients must not import. */
const clientRestrictions: Imports = {
  paths: [
    {
      name: '@parley/protocol',
      allowTypeImports: true,
      message: 'The declarations load zod. Import a value from its own file.',
    },
  ],
};

const tests = '**/*.test.ts';

/** An override for each room: it must not import from the other rooms on its line, or from those on later lines. */
function roomOverrides(root: string, levels: string[][], restrictions: Record<string, Imports> = {}): OxlintOverride[] {
  return levels.flatMap((level, at) =>
    level.map((room) => {
      const others = levels
        .slice(at)
        .flat()
        .filter((other) => other !== room);
      const { patterns = [], ...paths } = restrictions[room] ?? {};
      const order = {
        group: others.map((other) => `**/${other}/**`),
        message: 'A room imports only from rooms below it.',
      };
      return {
        files: [`${root}/${room}/**/*.{ts,tsx}`],
        excludeFiles: [tests],
        rules: { 'no-restricted-imports': ['error', { ...paths, patterns: [...patterns, order] }] },
      };
    }),
  );
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'node', 'vitest'],
  jsPlugins: ['./scripts/lint/linear-expressions.ts'],
  categories: { correctness: 'error', suspicious: 'error' },
  ignorePatterns: ['data/**', 'coverage/**', '**/dist/**'],
  rules: {
    eqeqeq: 'error',
    'max-params': ['error', 5],
    'no-console': 'error',
    'no-param-reassign': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-promise-reject-errors': ['error', { allowThrowingAny: true, allowThrowingUnknown: true }],
    'typescript/return-await': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/no-deprecated': 'error',
    'typescript/consistent-type-imports': 'error',
    'import/no-cycle': ['error', { ignoreTypes: true }],
    'unicorn/prefer-node-protocol': 'error',
    'import/no-unassigned-import': ['error', { allow: ['**/*.css', 'pdfjs-dist/legacy/build/pdf.worker.mjs'] }],

    // Units of work run one statement after another.
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    // A comment gives the reason for each cast; reviewers judge it.
    'typescript/no-unsafe-type-assertion': 'off',
    // Code that walks a chain starts at `this`.
    'typescript/no-this-alias': 'off',
    // Does not recognize getters or changes by a call in the loop.
    'no-unmodified-loop-condition': 'off',
    // Meant for browser windows; ours are threads.
    'unicorn/require-post-message-target-origin': 'off',
    'promise/always-return': 'off',
    // Helpers and properties contain expectations too.
    'vitest/expect-expect': 'off',
    'vitest/no-conditional-expect': 'off',
    'vitest/no-standalone-expect': 'off',
    // Suites with options of their own are declared by functions that pass the title on.
    'vitest/valid-title': ['error', { ignoreTypeOfDescribeName: true, ignoreTypeOfTestName: true }],
    'vitest/require-to-throw-message': 'off',
    'vitest/valid-expect': ['error', { maxArgs: 2 }],
    // Reports `Record<never, never>`, which is meant to be empty.
    'typescript/no-generated-empty-object-type': 'off',
    // Callers tell a decoder which type comes next.
    'typescript/no-unnecessary-type-parameters': 'off',
  },
  overrides: [
    {
      files: ['packages/server/**/*.ts'],
      excludeFiles: [
        tests,
        'packages/server/cluster/watchdog-process.ts',
        'packages/server/core/clock.ts',
        'packages/server/core/held-thread.ts',
        'packages/server/service/open-base.ts',
        'packages/server/transport/metrics.ts',
      ],
      rules: {
        // Time and randomness are parameters, so that tests can control the time and repeat a seed.
        'no-restricted-globals': [
          'error',
          { name: 'setTimeout', message: 'Timers come from the Clock.' },
          { name: 'setInterval', message: 'Timers come from the Clock.' },
        ],
        'no-restricted-properties': [
          'error',
          { object: 'Date', property: 'now', message: 'Time comes from the Clock, or with the call.' },
          { object: 'Math', property: 'random', message: 'Chance is a parameter.' },
        ],
      },
    },
    {
      files: ['packages/{markdown,office}/**/*.ts'],
      excludeFiles: [tests],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: ['node:*', '@parley/*', '../**'],
                message: 'These parsers are functions of their input, without I/O.',
              },
            ],
          },
        ],
      },
    },
    {
      files: ['packages/protocol/**/*.ts'],
      excludeFiles: [tests],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              { group: ['node:*', '@parley/*'], message: 'The wire is data: no I/O, and nothing of ours below it.' },
            ],
          },
        ],
      },
    },
    {
      files: ['{packages,scripts,examples}/**/*.{ts,tsx,js}'],
      excludeFiles: [tests, 'packages/testing/**', 'packages/*/test/**'],
      rules: { 'parley/linear-expressions': 'error', 'parley/elapsed-time': 'error' },
    },
    ...roomOverrides('packages/server', serverRooms, serverRestrictions),
    ...roomOverrides(
      'packages/web',
      webRooms,
      Object.fromEntries(webRooms.flat().map((room) => [room, clientRestrictions])),
    ),
    {
      files: ['packages/{client,react}/**/*.ts'],
      excludeFiles: [tests],
      rules: { 'no-restricted-imports': ['error', clientRestrictions] },
    },
    {
      files: [tests, 'packages/testing/**/*.ts', 'bench/**/*.ts'],
      rules: {
        'no-console': 'off',
        'unicorn/consistent-function-scoping': 'off',
        'import/no-named-as-default-member': 'off',
        'typescript/unbound-method': 'off',
      },
    },
  ],
});
