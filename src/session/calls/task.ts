/**
 * Tasks: calls whose result comes later and is polled for. Two dialects: the extension io.modelcontextprotocol/tasks of
 * 2026-07-28, where the server decides by itself, and the experiment of 2025-11-25, where a tool may demand it.
 */
import { isNumber, isObject, type JsonObject, type JsonValue, limits } from '../../base/index.ts';
import { type Asked, brokenReply } from '../reply.ts';
import type { RequestControl, SessionInfo, ToolCall } from '../session.ts';

/** Identifier of the extension, declared in every modern request. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

export interface Task {
  readonly id: string;
  readonly status: TaskStatus;
  /** Raw text of the server. */
  readonly message: string | undefined;
  /** What the server asked for, within limits.taskPollMs. */
  readonly pauseMs: number;
  /** All of it; holds what belongs to its status. */
  readonly members: JsonObject;
}

/** The task that a result of `tools/call` is, if it is one. Throws `broken_reply`. */
export function taskOf(result: JsonObject, asked: Asked, { era }: SessionInfo): Task | undefined {
  if (era === 'modern') return result['resultType'] === 'task' ? readTask(result, asked) : undefined;
  const { task, content } = result;
  return isObject(task) && content === undefined ? readTask(task, asked) : undefined;
}

const statuses: readonly TaskStatus[] = ['working', 'input_required', 'completed', 'failed', 'cancelled'];

/** A task as it is told, in members of both dialects; `known` is its id where it has been told before. Throws `broken_reply`. */
export function readTask(members: JsonObject, asked: Asked, known?: string): Task {
  const { taskId = known, statusMessage, pollIntervalMs, pollInterval } = members;
  const status = statuses.find((known) => known === members['status']);
  if (typeof taskId !== 'string' || taskId === '') throw brokenReply(asked, 'is a task without an id');
  if (status === undefined) throw brokenReply(asked, 'is a task without a status that is known');
  return {
    id: known ?? taskId,
    status,
    message: typeof statusMessage === 'string' ? statusMessage : undefined,
    pauseMs: clampPause(pollIntervalMs ?? pollInterval),
    members,
  };
}

function clampPause(value: JsonValue | undefined): number {
  const { least, most, unsaid } = limits.taskPollMs;
  return isNumber(value) ? Math.min(Math.max(Number(value), least), most) : unsaid;
}

/** What makes a call of 2025-11-25 a task, where the tool demands it and the server can (utilities/tasks, "Tool-Level Negotiation"). */
export function taskParams(info: SessionInfo, call: ToolCall, { deadline }: RequestControl): JsonObject {
  const { execution } = call;
  const demands = isObject(execution) && execution['taskSupport'] === 'required';
  // Its result is of use as long as the call may last.
  return demands && can(info, ['requests', 'tools', 'call']) ? { task: { ttl: deadline.totalMs } } : {};
}

/** Whether `tasks/cancel` may be sent. */
export function canCancelTasks(info: SessionInfo): boolean {
  return info.era === 'modern' || can(info, ['cancel']);
}

function can(info: SessionInfo, path: readonly string[]): boolean {
  let value: JsonValue | undefined = info.capabilities['tasks'];
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  return value !== undefined && value !== null && value !== false;
}
