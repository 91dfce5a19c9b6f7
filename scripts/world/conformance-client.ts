// The client that @modelcontextprotocol/conformance starts for each of its scenarios. The address of the scenario's
// server is its last argument, the address of the test that plays the client with a service the first.
import { argv, env, exit, stdout } from 'node:process';

const [, , test = '', server = ''] = argv;
const response = await fetch(test, {
  method: 'POST',
  body: JSON.stringify({
    scenario: env['MCP_CONFORMANCE_SCENARIO'],
    server,
    context: JSON.parse(env['MCP_CONFORMANCE_CONTEXT'] ?? '{}'),
  }),
});
const did = await response.text();
stdout.write(did, () => exit(response.ok ? 0 : 1));
