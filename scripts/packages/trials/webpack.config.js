import { join } from 'node:path';
import webpack from 'webpack';

const { PARLEY_URL, PARLEY_TOKEN } = process.env;
export default {
  mode: 'production',
  entry: './main.tsx',
  output: { path: join(import.meta.dirname, 'dist'), filename: 'main.js' },
  resolve: { extensions: ['.tsx', '.ts', '.js'] },
  module: {
    rules: [
      { test: /\.tsx?$/, loader: 'ts-loader', options: { transpileOnly: true } },
      { test: /\.css$/, use: ['style-loader', 'css-loader'] },
    ],
  },
  plugins: [new webpack.DefinePlugin({ 'import.meta.env': JSON.stringify({ PARLEY_URL, PARLEY_TOKEN }) })],
  performance: { hints: false },
};
