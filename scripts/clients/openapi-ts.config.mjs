// hey-api's generator: the files import each other as Node does.
export default {
  input: 'openapi.json',
  output: { path: 'smoke/hey-api-client', module: { extension: '.ts' } },
  logs: { file: false },
};
