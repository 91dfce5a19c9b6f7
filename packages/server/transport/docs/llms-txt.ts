import type { GuideSection } from '../guide.ts';

/** Where programs that read text find the documents, in the form of https://llmstxt.org (API-9). */
export const llmsTxt = (origin: string, guide: readonly GuideSection[]): string => `# Parley

> A chat service in which people and AI agents take part as equals: direct chats and groups, agents that stream their replies, and an update log from which every client recovers exactly.

Every operation is a POST of JSON to ${origin}/api/<operation>, with a token as \`authorization: Bearer <token>\`. Events come by a WebSocket at /api/ws.

## API

- [The API as Markdown](${origin}/docs.md): every operation, event and resource, with samples
- [OpenAPI 3.1](${origin}/openapi.json): the operations as data
- [AsyncAPI 3.0](${origin}/asyncapi.json): the WebSocket as data
${guide.map((section) => sectionOf(section, `${origin}/docs/guide`)).join('')}`;

const sectionOf = ({ title, pages }: GuideSection, at: string): string =>
  `\n## ${title}\n\n${pages.map(({ title, address, summary }) => `- [${title}](${at}/${address}): ${summary}\n`).join('')}`;
