import { read } from '../../call.ts';
import { forbidden } from '../../errors.ts';

export default read('exportMyData', ({ caller, service }) => {
  if (caller.kind !== 'human') throw forbidden("a bot's data is its owner's");
  return { url: service.exports.urlFor(caller.key) };
});
