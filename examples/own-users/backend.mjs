import { createServer } from 'node:http';

const { PARLEY_URL = 'http://127.0.0.1:8080', PARLEY_BACKEND_KEY, PARLEY_CHAT, PORT = '3000' } = process.env;

// Replace this: find out who is signed in to your product, for example by its session cookie.
const userOf = (request) => (request.headers.cookie?.includes('session=ann') ? { id: 'user-7', name: 'Ann' } : null);

async function createToken({ id, name }) {
  const response = await fetch(`${PARLEY_URL}/api/createUserToken`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      backend_key: PARLEY_BACKEND_KEY,
      external_id: id,
      display_name: name,
      chat_ids: [PARLEY_CHAT],
    }),
  });
  const answer = await response.json();
  if (!answer.ok) throw new Error(answer.description);
  return answer.result.token;
}

async function answer(request, response) {
  const user = request.method === 'POST' && request.url === '/parley-token' ? userOf(request) : null;
  try {
    if (!user) response.writeHead(404).end();
    else response.setHeader('cache-control', 'no-store').end(await createToken(user));
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    response.writeHead(502).end();
  }
}

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
