/** The server that get-sponsors is compared with: the framework, the schemas and a prepared response. */
import fastify from 'fastify';
import { GetSponsorsBody, GetSponsorsResponse } from '../src/modules/tasks/schemas.ts';
import type { Ground } from './fill.ts';
import { type Server, sayHello } from './stage.ts';

export async function serveBare(answer: string): Promise<void> {
  const app = fastify();
  const body = JSON.parse(answer) as object;
  app.post(
    '/api/v1/get-sponsors',
    { schema: { body: GetSponsorsBody, response: { 200: GetSponsorsResponse } } },
    async () => body,
  );
  sayHello(await app.listen({ port: 0 }));
}

/** Returns the service's response to a user who has tasks. */
export async function answerFor({ url }: Server, { token }: Ground, userId: number): Promise<string> {
  const response = await fetch(`${url}/api/v1/get-sponsors`, {
    method: 'POST',
    headers: { auth: token, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: userId, first_name: 'Анна', username: 'anna', language_code: 'ru' }),
    signal: AbortSignal.timeout(10_000),
  });
  const answer = await response.text();
  if (!answer.includes('"warning"')) throw new Error(`a repeat caller has no tasks: ${answer}`);
  return answer;
}
