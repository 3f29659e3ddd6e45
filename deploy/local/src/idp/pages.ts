import { html, type Html } from '../html.ts';
import { mark, page } from '../page.ts';
import type { Person } from './people.ts';

const style = `
  main { max-width: 440px; margin: 0 auto; padding: 48px 16px; display: grid; gap: 24px; }
  header { display: grid; gap: 8px; justify-items: start; }
  section { display: grid; gap: 8px; }
  .people { background: var(--card); border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
  .people button { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 12px; width: 100%; text-align: left; border: 0;
    border-radius: 0; padding: 12px 16px; }
  .people button + button { border-top: 1px solid var(--line); }
  .people button:focus-visible { outline-offset: -2px; }
  .people b { font-weight: 600; } .people .role { color: var(--accent); } .people .mail { color: var(--dim); grid-column: 1 / -1; overflow-wrap: anywhere; }
  .other { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 8px; }`;

/** Parameters of the response to the hub. */
export interface SignIn {
  request: string;
  relayState: string;
}

function button(person: Person): Html {
  return html`<button type="submit" name="email" value="${person.email}">
    <b>${person.name}</b><span class="role">${person.role}</span><span class="mail">${person.email}</span>
  </button>`;
}

function group(account: string, people: Person[]): Html {
  return html`<section>
    <h2>${account}</h2>
    <div class="people">${people.map(button)}</div>
  </section>`;
}

const hidden = ({ request, relayState }: SignIn) =>
  html`<input type="hidden" name="SAMLRequest" value="${request}" />
    <input type="hidden" name="RelayState" value="${relayState}" />`;

/** Renders the sign-in page with the list of people. */
export function choosePage(people: readonly Person[], signIn: SignIn): string {
  const accounts = Map.groupBy(people, (person) => person.account);
  const groups = [...accounts].map(([account, members]) => group(account, members));
  return page(
    'Sign in to Warren',
    html`<main>
      <header>
        ${mark}
        <h1>Sign in to Warren</h1>
        <p class="dim">The development sign-in of this machine. It asks for no password.</p>
      </header>
      <form method="post" action="/sso" style="display:grid;gap:24px">${hidden(signIn)} ${groups}</form>
      <form method="post" action="/sso">
        ${hidden(signIn)}
        <section>
          <h2><label for="email">Someone else</label></h2>
          <div class="other">
            <input id="email" name="email" type="email" required placeholder="name@example.com" />
            <button type="submit">Sign in</button>
          </div>
          <label for="groups" class="dim">Groups to state, separated by commas; none if empty</label>
          <input id="groups" name="groups" maxlength="2000" placeholder="engineering, operations" />
        </section>
      </form>
    </main>`,
    { style },
  );
}

/** Renders the page that posts the response to the hub (SAML 2.0 bindings, 3.5.4). `nonce` allows its script. */
export function postPage(acs: string, response: string, relayState: string, nonce: string): string {
  return page(
    'Signing in',
    html`<main>
      <header>
        ${mark}
        <h1>Signing in</h1>
      </header>
      <form method="post" action="${acs}">
        <input type="hidden" name="SAMLResponse" value="${response}" />
        <input type="hidden" name="RelayState" value="${relayState}" />
        <noscript><button type="submit">Continue</button></noscript>
      </form>
      <script nonce="${nonce}">
        document.forms[0].submit();
      </script>
    </main>`,
    { style },
  );
}

/** Renders a page with a message. */
export function notePage(title: string, text: string, link?: string): string {
  const way = link ? html`<p><a href="${link}">Go to Warren</a></p>` : '';
  return page(
    title,
    html`<main>
      <header>
        ${mark}
        <h1>${title}</h1>
        <p>${text}</p>
        ${way}
      </header>
    </main>`,
    { style },
  );
}
