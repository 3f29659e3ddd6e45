// A match marks a sentence to rewrite; the message suggests the usual words, so don't apply `--fix` unread. Emphasis quotes other programs.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- textlint reads CommonJS only.
const { TERMS } = require('./tools/src/prose/vocabulary.mjs');

module.exports = { rules: { terminology: { defaultTerms: false, skip: ['Emphasis'], terms: TERMS } } };
