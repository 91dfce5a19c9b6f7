import { serviceSettings } from '../../people/service-settings.ts';
import { read } from '../handler.ts';

export default read('getServiceSettings', ({ tx }) => serviceSettings(tx));
