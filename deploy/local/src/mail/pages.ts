import { html, type Html } from '../html.ts';
import { mark, page } from '../page.ts';
import type { Message } from './box.ts';

const style = `
  main { max-width: 960px; margin: 0 auto; padding: 24px 16px; display: grid; gap: 16px; }
  header { display: flex; align-items: center; gap: 12px; flex-wrap: wrap; }
  header .grow { flex: 1; }
  ul { list-style: none; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
  li + li { border-top: 1px solid var(--line); }
  li a { display: grid; grid-template-columns: 1fr auto; gap: 0 12px; padding: 8px 16px; color: inherit; text-decoration: none; }
  li a:hover { background: var(--tint); } li a:focus-visible { outline-offset: -2px; }
  li b { font-weight: 600; overflow-wrap: anywhere; }
  time { color: var(--dim); font-variant-numeric: tabular-nums; }
  .empty { padding: 48px 16px; text-align: center; color: var(--dim); background: var(--card); border: 1px dashed var(--line); border-radius: 6px; }
  dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; } dt { color: var(--dim); } dd { overflow-wrap: anywhere; }
  iframe { width: 100%; height: 60vh; border: 1px solid var(--line); border-radius: 6px; background: #fff; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 16px;
    font: 13px/1.5 'JetBrains Mono', ui-monospace, monospace; }`;

const when = (message: Message) =>
  html`<time datetime="${message.received}">${message.received.slice(0, 19).replace('T', ' ')} UTC</time>`;

function row(message: Message): Html {
  return html`<li>
    <a href="/messages/${message.id}">
      <b>${message.subject || '(no subject)'}</b>${when(message)}<span class="dim">${message.to.join(', ')}</span>
    </a>
  </li>`;
}

/** Renders the list of all mail, which refreshes automatically. */
export function listPage(messages: readonly Message[]): string {
  const count = messages.length === 1 ? '1 message' : `${messages.length} messages`;
  const list = messages.length
    ? html`<ul>
        ${messages.map(row)}
      </ul>`
    : html`<p class="empty">No mail yet. Invite someone in Warren, and the letter comes here instead of to them.</p>`;
  const body = html`<main>
    <header>
      ${mark}
      <h1 class="grow">Mail</h1>
      <span class="dim">${count}</span>
      <form method="post" action="/clear"><button type="submit">Clear</button></form>
    </header>
    ${list}
  </main>`;
  return page(`Mail (${messages.length})`, body, { style, head: html`<meta http-equiv="refresh" content="5" />` });
}

/** Renders a message: addresses, time, the HTML in a sandboxed frame, the text. */
export function messagePage(message: Message): string {
  const frame = html`<section>
    <h2>HTML</h2>
    <iframe
      title="The message as HTML"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      src="/messages/${message.id}/html"
    ></iframe>
  </section>`;
  const text = html`<section>
    <h2>Text</h2>
    <pre>${message.text}</pre>
  </section>`;
  const body = html`<main>
    <header>
      ${mark}
      <h1>${message.subject || '(no subject)'}</h1>
    </header>
    <p><a href="/">All mail</a></p>
    <dl>
      <dt>From</dt>
      <dd>${message.from}</dd>
      <dt>To</dt>
      <dd>${message.to.join(', ')}</dd>
      <dt>Received</dt>
      <dd>${when(message)}</dd>
    </dl>
    ${message.html ? frame : ''} ${message.text ? text : ''}
  </main>`;
  return page(message.subject || 'Message', body, { style });
}
