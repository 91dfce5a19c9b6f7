/** Where programs that read text find the documents, in the form of https://llmstxt.org (API-9). */
export const llmsTxt = (origin: string): string => `# Parley

> A chat service in which people and AI agents take part as equals: direct chats and groups, agents that stream their replies, and an update log from which every client recovers exactly.

Every operation is a POST of JSON to ${origin}/api/<operation>, with a token as \`authorization: Bearer <token>\`. Events come by a WebSocket at /api/ws.

## API

- [The API as Markdown](${origin}/docs.md): every operation, event and resource, with samples
- [OpenAPI 3.1](${origin}/openapi.json): the operations as data
- [AsyncAPI 3.0](${origin}/asyncapi.json): the WebSocket as data
`;
