import type { UploadedFile } from '@parley/protocol';
import type { Actor, World } from '@parley/testing';

type Headers = Readonly<Record<string, string>>;

/** Requests of one account for its uploads in several requests. */
export function tus(world: World, { token }: Pick<Actor, 'token'>) {
  const ask = async (method: string, path: string, headers: Headers = {}, body?: Uint8Array<ArrayBuffer> | string) => {
    const response = await fetch(new URL(path, world.url), {
      method,
      headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    // The service answers with JSON or with nothing.
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  const create = (size: number, name = 'a.bin', headers: Headers = {}) =>
    ask('POST', '/api/uploads', {
      'upload-length': String(size),
      'upload-metadata': `other eA==, filename ${Buffer.from(name).toString('base64')}`,
      ...headers,
    });
  return {
    ask,
    create,
    /** Begins an upload and returns its path. */
    async begin(size: number, name?: string): Promise<string> {
      const { headers, status, body } = await create(size, name);
      return headers.get('location') ?? Promise.reject(new Error(`${status}: ${JSON.stringify(body)}`));
    },
    patch: (path: string, offset: number, body: Uint8Array<ArrayBuffer> | string, headers: Headers = {}) =>
      ask(
        'PATCH',
        path,
        { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream', ...headers },
        body,
      ),
    /** The offset of an upload, or the status of a refusal. */
    async offset(path: string): Promise<number | string> {
      const { status, headers } = await ask('HEAD', path);
      return status === 200 ? Number(headers.get('upload-offset')) : `status ${status}`;
    },
    async file(path: string): Promise<UploadedFile> {
      const { status, body } = await ask('GET', path);
      return body?.result ?? Promise.reject(new Error(`${status}: ${JSON.stringify(body)}`));
    },
  };
}
