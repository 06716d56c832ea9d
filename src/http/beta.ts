import type { FastifyRequest } from 'fastify';
import { ApiError } from '../core/errors.ts';
import { callerOf } from './caller.ts';

/** An `onRequest` hook for beta routes. It must run after `authenticate`. */
export async function requireBeta(request: FastifyRequest): Promise<void> {
  if (callerOf(request).scopes.includes('beta')) return;
  throw new ApiError('invalid_token', 'This API token has no beta access. An operator grants it on request.');
}
