import { featureLevel } from '@parley/protocol';
import root from '../../../../package.json' with { type: 'json' };
import { read } from '../handler.ts';

export default read('getServerInfo', ({ settings }) => ({
  name: 'Parley',
  version: root.version,
  feature_level: featureLevel,
  sign_up: settings.signUp,
  issuers: [...settings.issuers],
  passwords: settings.passwords,
  max_file_bytes: settings.fileBytes,
}));
