/**
 * The vocabulary of everything that people read, by the word to use. Patterns are regular expressions without regard to case. One is
 * listed only if no sentence needs it in another sense; a word with other meanings is part of a phrase.
 */

/** The glossary: what else a term must not be called. */
const GLOSSARY = {
  link: [
    "(?:agent|device)s?[’']s? (?:tunnel|connection)s?",
    '(?:tunnel|connection)s? (?:of|from) (?:an|the|each|every|its) (?:agent|device)s?',
    'reverse tunnels?',
  ],
  terminal: ['(?:terminal|shell|PTY) sessions?', 'sessions? of (?:a|the|each|every|its) terminals?'],
  socket: ['socket sessions?', 'sessions? of (?:a|the|each|every|its) sockets?'],
  'socket token': ['socket tickets?'],
  publisher: [
    '(?:outbox|event|mail|message)s? relays?',
    'relays? (?:of|for) (?:the )?(?:outbox|events?|mails?|messages?)',
    'relay(?:s|ed|ing)? (?:the )?(?:outbox|events|mails)',
  ],
  'heartbeat, lease or claim': [
    "(?:an?|the|its|each|every|no|agent[’']s|device[’']s|gateway[’']s) (?:greeting|parting)s?",
  ],
  'in flight': ['under way'],
  'delay, block': ['h[eo]ld(?:s|ing)? up'],
  window: ['room for (?:bytes|data|frames?|input|output)', 'there is room for more'],
  'batch, coalesce': ['gather(?:s|ed|ing)?', 'rest(?:s|ed|ing)? for a moment'],
  prefetch: ['ask(?:s|ed|ing)? ahead'],
  'audit event': ['audit (?:line|entry|entrie)s?', 'lines? of the (?:audit )?trail', 'trail lines?'],
  'device page': ["device[’']s page", 'pages? of (?:a|the|this|that|its) device'],
  'web service': ['web pages?', 'web ?sites?'],
};

/** Phrases that mark a sentence to rewrite. */
const UNCLEAR = {
  again: ['anew'],
  'anyone who': ['whoever'],
  'the noun': ['whatever it is', '(?<!so )that what'],
  existing: ['that there (?:is|are)'],
  'learn, get': ['(?:is|are|was|were|be|been|being|gets?|not) told', '(?:unless|when|if|as|until) told'],
  route: ['(?:is|are|was|were|be|been) led'],
  'continue, resume, keep running': ['go(?:es)? on(?! top| and on)', 'went on', 'gone on', 'going on with'],
  remove: ['(?:tak(?:e|es|en|ing)|took) (?:(?:it|them|him|her|this|that) )?away'],
  release: ['lets? go', 'letting go'],
  'serve, issue': ['giv(?:e|es|en|ing) out'],
  separate: ['(?<!one )of (?:its|their|his|her) own'],
  'be in': ['stands? in(?! for| the way)'],
  'for example': ['\\w+, for one[,;.]'],
  'if empty, all': ["Empty: everybody[’']?s?"],
  'invalid, missing': ['(?<!there )(?:is|are) none[.,;]'],
};

/** A space in a pattern: also the end of a line, in a comment or in a string that the next line continues. */
const SPACE = String.raw`(?:\s+(?:['"\`] \+\s+['"\`]|(?:\*|//|#)\s+)?)`;

/** Whole words, and not a part of a path, a member or a name with hyphens. */
const expressionOf = (pattern) => `(?<![-\\w./])(?:${pattern.replaceAll(' ', SPACE)})(?![-\\w/(])`;

/**
 * What is refused, as the source of a regular expression, and what to say instead: as textlint-rule-terminology reads terms.
 * @type {[string, string][]}
 */
export const TERMS = [GLOSSARY, UNCLEAR].flatMap((words) =>
  Object.entries(words).flatMap(([instead, patterns]) => patterns.map((pattern) => [expressionOf(pattern), instead])),
);

/**
 * Texts that the specification, or another program, gives word for word, by the file that quotes them.
 * @type {Record<string, string[]>}
 */
export const QUOTED = {
  'web/src/lib/messages.ts': ['A website running on'],
};
