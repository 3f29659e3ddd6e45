/**
 * Imports inside a project go one way. Between projects @nx/enforce-module-boundaries says who may import whom.
 * Paths match anywhere, so that the fixtures in tools/fixtures can prove that every rule bites.
 * @type {import('dependency-cruiser').IConfiguration}
 */
export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'features-of-a-service-have-an-order',
      severity: 'error',
      scope: 'folder',
      from: { path: 'services/[^/]+/src' },
      to: { circular: true },
    },
    {
      name: 'console-lib-stands-alone',
      severity: 'error',
      from: { path: 'web/src/lib/' },
      to: { path: 'web/src/(ui|features|sessions|app)/' },
    },
    {
      name: 'console-ui-knows-lib-only',
      severity: 'error',
      from: { path: 'web/src/ui/' },
      to: { path: 'web/src/(features|sessions|app)/' },
    },
    {
      name: 'console-features-do-not-meet',
      severity: 'error',
      from: { path: 'web/src/features/([^/]+)/' },
      to: { path: 'web/src/features/', pathNot: 'web/src/features/$1/' },
    },
    {
      name: 'console-features-do-not-know-app',
      severity: 'error',
      from: { path: 'web/src/(features|sockets)/' },
      to: { path: 'web/src/app/' },
    },
    {
      name: 'sockets-are-free-of-react',
      severity: 'error',
      from: { path: 'web/src/sockets/' },
      to: { path: 'node_modules/(react|react-dom|react-redux|react-router|@mantine)/|web/src/(ui|features)/' },
    },
    {
      name: 'agent-touches-the-machine-in-one-place',
      severity: 'error',
      // Files are what an update is about, as they are what the state is about.
      from: { path: 'agent/src/', pathNot: 'agent/src/(system/|state/|update/|version\\.ts)|\\.spec\\.ts$' },
      to: { path: '^(node:)?(fs|fs/promises|child_process)$' },
    },
    {
      name: 'features-do-not-know-the-process',
      severity: 'error',
      from: { path: 'services/[^/]+/src/[^/]+/' },
      to: { path: 'services/[^/]+/src/(main|app\\.module|migrate)\\.ts$' },
    },
    {
      name: 'sources-do-not-know-tests',
      severity: 'error',
      from: { path: '/src/', pathNot: '\\.spec\\.tsx?$|web/src/testing/' },
      to: { path: '\\.spec\\.tsx?$|/test/', pathNot: '^node_modules/' },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/', '/gen/'] },
    exclude: { path: ['/dist/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['warren-source', 'import', 'node', 'default'],
    },
  },
};
