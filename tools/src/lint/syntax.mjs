/** The rule that oxlint lacks: refuses what selectors match, with their messages. */
const restricted = {
  meta: {
    type: 'suggestion',
    schema: {
      type: 'array',
      items: { type: 'object', required: ['selector', 'message'], additionalProperties: { type: 'string' } },
    },
  },
  create: (context) =>
    Object.fromEntries(
      context.options.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    ),
};

export default { meta: { name: 'warren' }, rules: { 'no-restricted-syntax': restricted } };
