import { createServer } from 'node:http';

const { PARLEY_URL = 'http://127.0.0.1:8080', PARLEY_BACKEND_KEY, PORT = '3000' } = process.env;
const agent = 'parley:guide';

const page = `<!doctype html>
<title>The shop</title>
<h1>The shop</h1>
<script>
  window.parleyToken = async () => {
    const response = await fetch('/parley-token', { method: 'POST' });
    if (!response.ok) throw new Error('/parley-token answered ' + response.status);
    return response.json();
  };
</script>
<script async src="${PARLEY_URL}/widget.js" data-chat="${agent}"></script>`;

// Replace this: find out who is signed in to your product, for example by its session cookie.
const userOf = (_request) => ({ id: 'user-7', name: 'Ann' });

async function createToken({ id, name }) {
  const response = await fetch(`${PARLEY_URL}/api/createUserToken`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      backend_key: PARLEY_BACKEND_KEY,
      external_id: id,
      display_name: name,
      agent_username: agent,
    }),
  });
  const answer = await response.json();
  if (!answer.ok) throw new Error(answer.description);
  const { token, expires_at } = answer.result;
  return JSON.stringify({ token, expires_at });
}

async function answer(request, response) {
  if (request.url === '/') return response.setHeader('content-type', 'text/html').end(page);
  if (request.url !== '/parley-token' || request.method !== 'POST') return response.writeHead(404).end();
  try {
    const token = await createToken(userOf(request));
    return response.setHeader('content-type', 'application/json').setHeader('cache-control', 'no-store').end(token);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return response.writeHead(502).end();
  }
}

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(PORT), 'localhost', () => process.stdout.write(`http://localhost:${PORT}\n`));
