import { COMMANDS, EXITS, FILES, OPTIONS, synopsisOf, VARIABLES } from '../../src/manual.ts';
import type { ManualCommand, ManualOption } from '../../src/manual.ts';

const commands: readonly ManualCommand[] = COMMANDS;
const options: Record<string, ManualOption> = OPTIONS;
const SUMMARY = 'links this device with its Warren hub';

/** The man page `warren-agent(8)`, in the man macros (groff_man(7)). */
export function manPage(version: string): string {
  const shown = commands.filter(({ by }) => by !== 'units');
  return [
    `.TH WARREN\\-AGENT 8 "" "warren\\-agent ${roff(version)}" "System administration"`,
    '.SH NAME',
    `warren\\-agent \\- ${SUMMARY}`,
    '.SH SYNOPSIS',
    '.B warren\\-agent',
    '.I command',
    '[options]',
    '.SH COMMANDS',
    ...shown.flatMap((command) => entry(synopsisOf(command).replace('warren-agent ', ''), command.text)),
    '.P',
    roff(`${commandsOf('units').join(' and ')} are for the units of systemd.`),
    '.SH OPTIONS',
    ...Object.entries(options).flatMap(([name, option]) => entry(typed(name, option), optionText(option))),
    '.SH ENVIRONMENT',
    ...Object.entries(VARIABLES).flatMap(([name, text]) => entry(name, text)),
    '.SH FILES',
    ...Object.entries(FILES).flatMap(([path, text]) => entry(path, text)),
    '.SH EXIT STATUS',
    ...Object.entries(EXITS).flatMap(([status, text]) => entry(status, text)),
    '.SH SEE ALSO',
    '.BR systemctl (1),',
    '.BR journalctl (1)',
    '',
  ].join('\n');
}

/** The same as a page of the handbook. */
export function reference(): string {
  const shown = commands.filter(({ by }) => by !== 'units');
  return `# Reference of warren-agent

Commands, options and settings of the agent on a device, as \`man warren-agent\` has them. Made from \`agent/src/manual.ts\` by \`npm run manual -w
@warren/agent\`; a test compares them. The variables of the installer are in [agent.md](agent.md#install).

## Commands

${table(
  ['command', 'what it does'],
  shown.map((command) => [code(synopsisOf(command)), cell(command.text)]),
)}

${commandsOf('units').map(code).join(' and ')} are for the units of systemd.

## Options

${table(
  ['option', 'variable', 'meaning'],
  Object.entries(options).map(([name, option]) => [
    code(typed(name, option)),
    option.variable ? code(option.variable) : '',
    cell(option.text),
  ]),
)}

An option counts before its variable.

## Environment

${table(
  ['variable', 'meaning'],
  Object.entries(VARIABLES).map(([names, text]) => [names.split(', ').map(code).join(', '), cell(text)]),
)}

## Files

${table(
  ['path', 'what'],
  Object.entries(FILES).map(([path, text]) => [code(path), cell(text)]),
)}

## How commands end

${table(
  ['status', 'meaning'],
  Object.entries(EXITS).map(([status, text]) => [status, cell(text)]),
)}
`;
}

const commandsOf = (who: ManualCommand['by']) => commands.filter(({ by }) => by === who).map(({ name }) => name);
const typed = (name: string, { value }: ManualOption) => (value ? `--${name} <${value}>` : `--${name}`);
const optionText = ({ variable, text }: ManualOption) => (variable ? `${text} Also ${variable}.` : text);

function entry(term: string, text: string): string[] {
  return ['.TP', `.B ${roff(term)}`, roff(text)];
}

/** Text as roff prints it; a line must not begin with a control character. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('~', '\\(ti')
    .replace(/^\./, '\\&.');
}

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '\\<').replaceAll('~', '\\~');

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
