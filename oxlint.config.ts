import { defineConfig } from 'oxlint';

/** Who may import whom between projects. Inside a project dependency-cruiser says so. */
const BOUNDARIES = [
  { sourceTag: 'layer:proto', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'layer:rules', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'layer:infra', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'layer:client', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'layer:transport', onlyDependOnLibsWithTags: ['layer:infra'] },
  { sourceTag: 'layer:platform', onlyDependOnLibsWithTags: ['layer:proto', 'layer:rules', 'layer:infra'] },
  {
    sourceTag: 'layer:service',
    onlyDependOnLibsWithTags: ['layer:proto', 'layer:rules', 'layer:transport', 'layer:platform', 'layer:infra'],
  },
  { sourceTag: 'layer:hub', onlyDependOnLibsWithTags: ['layer:platform', 'layer:service'] },
  { sourceTag: 'layer:agent', onlyDependOnLibsWithTags: ['layer:proto', 'layer:transport', 'layer:infra'] },
  { sourceTag: 'layer:web', onlyDependOnLibsWithTags: ['layer:proto', 'layer:rules', 'layer:client'] },
  { sourceTag: 'layer:tools', onlyDependOnLibsWithTags: ['layer:proto', 'layer:rules', 'layer:platform'] },
  {
    sourceTag: 'layer:deploy',
    onlyDependOnLibsWithTags: [
      'layer:proto',
      'layer:rules',
      'layer:platform',
      'layer:infra',
      'layer:agent',
      'layer:client',
      'layer:deploy',
    ],
  },
];

/** One idiom for each thing. */
const ONE_IDIOM = [
  {
    selector: ':matches(PropertyDefinition, MethodDefinition) > PrivateIdentifier',
    message: 'Members that only their class uses are `private`, not #private.',
  },
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Properties are written out; a literal that is spread at once only packs them into fewer lines.',
  },
];
const OF_FAULTS =
  "A fault carries a bare message: the prefix comes from its code where the text leaves the hub (platform's error.text.ts).";
/** `Not found: …`, `session: …`: a few words and a colon. */
const LEAD = String.raw`/^[\w-]+( [\w-]+){0,2}( \([^)]*\))?: /`;
const OF_CODES =
  '/^(Invalid (input|request)|Not (signed in|allowed|found)|Conflict|Too many|Quota reached|Unavailable|Internal error)( \\([^)]*\\))?: /';
const BARE_FAULTS = [
  { selector: `NewExpression[callee.name='Fault'][arguments.1.value=${LEAD}]`, message: OF_FAULTS },
  { selector: `NewExpression[callee.name='Fault'][arguments.1.quasis.0.value.raw=${LEAD}]`, message: OF_FAULTS },
  { selector: `Literal[value=${OF_CODES}]`, message: OF_FAULTS },
  { selector: `TemplateElement[value.raw=${OF_CODES}]`, message: OF_FAULTS },
];
const SQL_APART = {
  selector: "CallExpression[callee.property.name='query']",
  message:
    'Records are read and written through entities or the query builder; SQL for sets is a function in a file named *.sql.ts.',
};

const LIMITS = { skipBlankLines: true, skipComments: true };
/** Where people and scripts start a program, whose settings or output these are. */
const PROGRAMS = [
  '**/src/migrate.ts',
  '**/src/seed*.ts',
  '**/src/verify.ts',
  '**/src/test-account.ts',
  '**/src/token.ts',
];

export default defineConfig({
  plugins: ['eslint', 'typescript'],
  jsPlugins: ['@nx/eslint-plugin', './tools/src/lint/syntax.mjs'],
  categories: { correctness: 'error' },
  env: { node: true, es2024: true },
  ignorePatterns: [
    '**/dist/**',
    '**/gen/**',
    '**/*.generated.ts',
    '**/generated/**',
    '.nx/**',
    '.warren/**',
    'web/public/**',
    'tools/fixtures/**',
  ],
  rules: {
    '@nx/enforce-module-boundaries': [
      'error',
      {
        allow: ['../jest.preset.mjs', '../../jest.preset.mjs', '../../.dependency-cruiser.mjs'],
        depConstraints: BOUNDARIES,
        enforceBuildableLibDependency: false,
      },
    ],
    'warren/no-restricted-syntax': ['error', ...ONE_IDIOM],
    complexity: ['error', 15],
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'max-lines': ['error', { max: 300, skipBlankLines: false, skipComments: false }],
    'max-lines-per-function': ['error', { max: 50, ...LIMITS }],
    'no-array-constructor': 'error',
    'no-case-declarations': 'error',
    'no-console': 'error',
    'no-empty': 'error',
    'no-fallthrough': 'error',
    'no-prototype-builtins': 'error',
    'no-regex-spaces': 'error',
    'no-unexpected-multiline': 'error',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'no-useless-assignment': 'error',
    'no-useless-constructor': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'preserve-caught-error': 'error',
    'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
    'typescript/consistent-type-imports': [
      'error',
      { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false },
    ],
    'typescript/no-dynamic-delete': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-invalid-void-type': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-non-null-asserted-nullish-coalescing': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/prefer-literal-enum-member': 'error',
    'typescript/unified-signatures': 'error',
  },
  overrides: [
    {
      // An import that only decorator metadata uses is a value import all the same; the compiler sees to the others.
      files: ['services/**/*.ts'],
      rules: { 'typescript/consistent-type-imports': 'off' },
    },
    {
      files: ['services/**/*.ts', 'agent/src/**/*.ts', 'web/src/**/*.{ts,tsx}'],
      rules: {
        'no-restricted-properties': [
          'error',
          { object: 'process', property: 'env', message: 'The environment is read in config.ts only.' },
        ],
      },
    },
    {
      files: ['**/src/config.ts', '**/src/main.ts', '**/src/openapi.ts', '**/*.spec.ts', '**/test/**', ...PROGRAMS],
      rules: { 'no-restricted-properties': 'off' },
    },
    {
      files: ['services/*/src/**/*.ts', 'rules/src/**/*.ts'],
      rules: { 'warren/no-restricted-syntax': ['error', ...ONE_IDIOM, ...BARE_FAULTS, SQL_APART] },
    },
    {
      files: ['**/*.sql.ts', '**/migrations/**', 'services/platform/src/database/**', 'rules/src/**/*.ts'],
      rules: { 'warren/no-restricted-syntax': ['error', ...ONE_IDIOM, ...BARE_FAULTS] },
    },
    {
      files: ['web/src/**/*.{ts,tsx}'],
      env: { browser: true },
      rules: { 'max-lines-per-function': ['error', { max: 120, ...LIMITS }] },
    },
    // A describe block is one long function by nature.
    {
      files: ['**/*.spec.{ts,tsx}', '**/test/**/*.ts', 'agent/conformance/**/*.ts', 'deploy/e2e/**/*.ts'],
      rules: {
        'max-lines': ['error', { max: 350, skipBlankLines: false, skipComments: false }],
        'max-lines-per-function': 'off',
        'typescript/no-non-null-assertion': 'off',
        'warren/no-restricted-syntax': ['error', ...ONE_IDIOM],
      },
    },
    {
      files: ['deploy/**/*.ts', 'tools/**/*.ts', '**/*.mjs', ...PROGRAMS],
      rules: { 'no-console': 'off' },
    },
  ],
});
