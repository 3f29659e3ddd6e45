import { LocalServer } from './local.server.ts';

/** Asks for the next number again and again, and shows it; an answer that does not come is asked for once more. */
const PAGE = `<!doctype html><title>Counter</title><output></output><script>
const next = () => fetch('count').then((answer) => answer.text())
  .then((text) => { document.querySelector('output').textContent = text; }, () => {})
  .finally(() => setTimeout(next, 100));
next();
</script>`;

/** A web server of a device whose page counts as long as it is reached. */
export function startCountingPage(): Promise<LocalServer> {
  let count = 0;
  return LocalServer.start((request, response) => {
    const counts = request.url?.endsWith('/count');
    response.setHeader('content-type', counts ? 'text/plain' : 'text/html');
    response.end(counts ? String(++count) : PAGE);
  });
}
