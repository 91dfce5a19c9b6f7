import { createWorld } from '@parley/testing';
import { createApi } from '@parley/client';
import { expect, test } from 'vitest';

test("AUTH-23: signUp and changePassword refuse common passwords and one's own username", async () => {
  await using world = await createWorld();
  const visitor = createApi({ url: world.url });
  const refused = (field: string) => ({ status: 400, code: 'invalid_argument', parameters: { field } });
  for (const password of ['Password1', 'qwertyuiop', 'nora_nora'])
    await expect(visitor.signUp({ username: 'nora_nora', password })).rejects.toMatchObject(refused('password'));
  const { token } = await visitor.signUp({ username: 'nora_nora', password: 'correct horse' });
  const { changePassword } = createApi({ url: world.url, token });
  for (const new_password of ['iloveyou!', 'nora_nora'])
    await expect(changePassword({ old_password: 'correct horse', new_password })).rejects.toMatchObject(
      refused('new_password'),
    );
  await changePassword({ old_password: 'correct horse', new_password: 'battery staple' });
});
