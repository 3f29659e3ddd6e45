import type { Response } from 'express';

/** Text that was made safe for HTML. */
class Html {
  constructor(readonly text: string) {}
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function shown(value: string | Html | readonly Html[]): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (found) => ESCAPES[found] ?? '');
  return value.map(({ text }) => text).join('');
}

/** A template whose values are escaped, unless they are made by this tag themselves. */
function html(parts: TemplateStringsArray, ...values: (string | Html | readonly Html[])[]): Html {
  return new Html(parts.map((part, at) => part + (at < values.length ? shown(values[at] ?? '') : '')).join(''));
}

const STYLE = new Html(`
  :root { color-scheme: light dark; --text: #1b211f; --dim: #56605c; --page: #f6f8f7; --card: #fff; --line: #d9dfdc; --act: #0f766e; --on: #fff }
  @media (prefers-color-scheme: dark) { :root { --text: #e6ebe9; --dim: #9aa5a0; --page: #111514; --card: #191e1d; --line: #2d3533; --act: #47b5a6; --on: #06211e } }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--page); color: var(--text); font: 14px/1.5 Inter, system-ui, sans-serif }
  main { box-sizing: border-box; width: min(420px, calc(100vw - 32px)); padding: 32px; background: var(--card); border: 1px solid var(--line); border-radius: 6px }
  h1 { margin: 0 0 8px; font-size: 20px; line-height: 1.3 }
  p { margin: 0 0 16px }
  .mark { margin: 0 0 24px; color: var(--act); font-weight: 600 }
  .dim { margin: 24px 0 0; color: var(--dim); font-size: 12px; overflow-wrap: anywhere }
  .act { display: block; margin: 8px 0 0; padding: 9px 16px; border-radius: 6px; background: var(--act); color: var(--on); font-weight: 600; text-align: center; text-decoration: none }
  button.act { width: 100%; border: 0; font: inherit; font-weight: 600; cursor: pointer }
  dl { margin: 0 0 16px; overflow-wrap: anywhere }
  dt { margin: 8px 0 0; color: var(--dim); font-size: 12px }
  dd { margin: 0 }
  label { display: block; margin: 24px 0 4px; font-weight: 600 }
  input { box-sizing: border-box; width: 100%; padding: 8px 10px; border: 1px solid var(--dim); border-radius: 6px; background: var(--page); color: inherit; font: inherit }
  input:focus-visible { outline: 2px solid var(--act); outline-offset: 1px }
  .act:focus-visible { outline: 2px solid var(--text); outline-offset: 2px }
`);

/** A page outside the console: a title, what happened, what to do. No script but that of its button. */
export interface Page {
  title: string;
  text: string;
  /** `target`: where it opens, here if not given. An empty `href` is this page again. */
  links: { href: string; label: string; target?: '_top' | '_blank' }[];
  /** A button whose `script` the page's policy has to allow; `otherwise` is what to do where scripts are off. */
  button?: { label: string; script: string; otherwise: string };
  /** Values by their names; empty ones are left out. */
  facts?: Record<string, string>;
  /** A form with one field, posted to `action` on this host. */
  form?: {
    action: string;
    hidden: Record<string, string>;
    field: { name: string; type: 'email'; label: string };
    label: string;
  };
  /** Shown for finding the request in the log. */
  requestId?: string | undefined;
}

export function renderPage({ title, text, links, button, facts = {}, form, requestId }: Page): string {
  const actions = links.map(
    ({ href, label, target = '_self' }) => html`<a class="act" href="${href}" target="${target}">${label}</a>`,
  );
  const pressed = button ? buttonOf(button) : html``;
  const asked = form ? formOf(form) : html``;
  const reference = requestId ? html`<p class="dim">Request ${requestId}</p>` : html``;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} - Warren</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <main>
          <p class="mark">warren</p>
          <h1>${title}</h1>
          <p>${text}</p>
          ${factsOf(facts)}${actions}${asked}${pressed}${reference}
        </main>
      </body>
    </html>`.text;
}

function buttonOf({ label, script, otherwise }: NonNullable<Page['button']>): Html {
  // Not a byte more than the script: the page's policy names its digest.
  const element = new Html(`<script>${script}</script>`);
  return html`<button class="act" type="button">${label}</button><noscript><p>${otherwise}</p></noscript>${element}`;
}

function factsOf(facts: Record<string, string>): Html {
  const shown = Object.entries(facts).filter(([, value]) => value !== '');
  if (shown.length === 0) return html``;
  return html`<dl>
    ${shown.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

function formOf({ action, hidden, field, label }: NonNullable<Page['form']>): Html {
  const kept = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form method="post" action="${action}">
    ${kept}<label for="field">${field.label}</label>
    <input id="field" name="${field.name}" type="${field.type}" autocomplete="${field.type}" required maxlength="254" />
    <button class="act" type="submit">${label}</button>
  </form>`;
}

/** Sends a page that may load nothing, run nothing and not be framed; a form is posted to this host only. */
export function sendPage(response: Response, status: number, page: Page): void {
  response
    .status(status)
    .set({
      'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action ${page.form ? "'self'" : "'none'"}; frame-ancestors 'none'`,
      'Cache-Control': 'no-store',
    })
    .type('html')
    .send(renderPage(page));
}
