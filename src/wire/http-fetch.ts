import type { HttpClient } from './http-client.ts';

export function createHttpClient(): HttpClient {
  throw new Error('not built');
}
