import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import globals from 'globals';
import ts from 'typescript-eslint';

/** Who may import whom between projects. Inside a project dependency-cruiser says so. */
export const BOUNDARIES = [
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

export default ts.config(
  {
    ignores: [
      '**/dist/**',
      '**/gen/**',
      '**/node_modules/**',
      '**/*.generated.ts',
      '**/generated/**',
      '.nx/**',
      '.warren/**',
      'web/public/**',
      'tools/fixtures/**',
    ],
  },
  js.configs.recommended,
  ...ts.configs.strict,
  {
    files: ['**/*.{ts,tsx,mts,mjs,cjs}'],
    plugins: { '@nx': nx },
    languageOptions: { globals: { ...globals.node } },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          allow: ['../jest.preset.mjs', '../../jest.preset.mjs', '../../.dependency-cruiser.mjs'],
          depConstraints: BOUNDARIES,
          enforceBuildableLibDependency: false,
        },
      ],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Nest modules are classes with static methods only.
      '@typescript-eslint/no-extraneous-class': 'off',
      'max-lines': ['error', { max: 300, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 15],
      'no-restricted-syntax': ['error', ...ONE_IDIOM],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
    },
  },
  {
    // An import that only decorator metadata uses is a value import all the same.
    files: ['services/**/*.ts'],
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
  },
  {
    files: ['services/**/*.ts', 'agent/src/**/*.ts', 'web/src/**/*.{ts,tsx}'],
    ignores: [
      '**/src/config.ts',
      '**/src/main.ts',
      '**/src/migrate.ts',
      '**/*.spec.ts',
      '**/test/**',
      '**/src/seed*.ts',
      '**/src/verify.ts',
      '**/src/test-account.ts',
      '**/src/token.ts',
      '**/src/openapi.ts',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'The environment is read in config.ts only.' },
      ],
    },
  },
  {
    files: ['services/*/src/**/*.ts', 'rules/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...ONE_IDIOM, ...BARE_FAULTS],
    },
  },
  {
    files: ['services/*/src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.sql.ts', '**/migrations/**', 'services/platform/src/database/**'],
    rules: { 'no-restricted-syntax': ['error', ...ONE_IDIOM, ...BARE_FAULTS, SQL_APART] },
  },
  {
    files: ['web/src/**/*.{ts,tsx}'],
    languageOptions: { globals: { ...globals.browser } },
    rules: { 'max-lines-per-function': ['error', { max: 120, skipBlankLines: true, skipComments: true }] },
  },
  // A describe block is one long function by nature.
  {
    files: ['**/*.spec.{ts,tsx}', '**/test/**/*.ts', 'agent/conformance/**/*.ts', 'deploy/e2e/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 350, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: [
      'deploy/**/*.ts',
      'tools/**/*.ts',
      '**/*.mjs',
      '**/src/migrate.ts',
      '**/src/seed*.ts',
      '**/src/verify.ts',
      '**/src/test-account.ts',
      '**/src/token.ts',
    ],
    rules: { 'no-console': 'off' },
  },
);
