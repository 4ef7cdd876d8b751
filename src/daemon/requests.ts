/** Frames of clients, checked: a client of the same version sends no others, and whatever else comes ends its connection. */
import { isAbsolute } from 'node:path';
import { isObject, type JsonObject, type JsonValue, type Scope, TrestleError } from '../base/index.ts';
import type { Caller } from '../runtime/index.ts';
import {
  type ClientFrame,
  type ClientHello,
  type ClientProof,
  type HomeOfClient,
  remoteMethods,
  type RequestFrame,
} from './protocol.ts';

/** All of these throw `broken_reply` for what is none. */
export function readHello(frame: JsonValue): ClientHello {
  const hello = member(object(frame), 'hello');
  const { protocol, version, nonce } = object(hello);
  return { hello: { protocol: number(protocol), version: text(version), nonce: text(nonce) } };
}

export function readProof(frame: JsonValue): ClientProof {
  const { proof, wants, home } = object(frame);
  if (wants === 'drain') return { proof: text(proof), wants };
  if (wants !== 'serve') throw broken();
  return { proof: text(proof), wants, home: readHome(home) };
}

export function readFrame(frame: JsonValue): ClientFrame {
  const given = object(frame);
  const { cancel, reason, ping, events } = given;
  if (ping !== undefined) return { ping: number(ping) };
  if (cancel !== undefined)
    return { cancel: number(cancel), ...(reason === undefined ? {} : { reason: text(reason) }) };
  if (events !== undefined) return { events: events === null ? null : { scope: readScope(object(events)['scope']) } };
  return readRequest(given);
}

/** Whatever it names, nobody is told more by it than the calls of that scope. */
function readScope(value: JsonValue | undefined): Scope {
  const scope = text(value);
  if (scope === 'library' || scope === 'shared') return scope;
  if (isScopeOf('session', scope) || isScopeOf('project', scope)) return scope;
  throw broken();
}

function isScopeOf<Kind extends 'session' | 'project'>(kind: Kind, scope: string): scope is `${Kind}:${string}` {
  return scope.startsWith(`${kind}:`);
}

function readRequest({ id, method, params, caller, supplied, listeners, detached }: JsonObject): RequestFrame {
  const name = text(method);
  if (name !== 'about' && !Object.hasOwn(remoteMethods, name)) throw broken();
  return {
    id: number(id),
    method: name as RequestFrame['method'],
    params: readParams(params),
    ...(caller === undefined ? {} : { caller: readCaller(caller) }),
    ...(supplied === undefined ? {} : { supplied: list(supplied).map(text) }),
    ...(listeners === undefined ? {} : { listeners: list(listeners).map(text) }),
    ...(detached === true ? { detached } : {}),
  };
}

/** A daemon starts what it has read itself: a server that a request describes is its caller's own. */
function readParams(value: JsonValue | undefined): readonly JsonValue[] {
  const params = list(value);
  const [request] = params;
  if (isObject(request) && Object.hasOwn(request, 'server')) text(request['server']);
  return params;
}

function readHome(value: JsonValue | undefined): HomeOfClient {
  const { places, userHome } = object(value);
  const { serversFile, settingsFile, registryRoot, stateFolder, runFolder, spillFolder, isOfProject } = object(places);
  return {
    places: {
      serversFile: path(serversFile),
      settingsFile: path(settingsFile),
      registryRoot: path(registryRoot),
      stateFolder: path(stateFolder),
      runFolder: path(runFolder),
      spillFolder: path(spillFolder),
      ...(isOfProject === true ? { isOfProject } : {}),
    },
    userHome: path(userHome),
  };
}

function readCaller(value: JsonValue): Caller {
  const { env, cwd, projectTrusted = true } = object(value);
  if (typeof projectTrusted !== 'boolean') throw broken();
  const variables = Object.entries(object(env)).map(([name, held]) => [name, text(held)] as const);
  return { env: Object.fromEntries(variables), cwd: path(cwd), projectTrusted };
}

function object(value: JsonValue | undefined): JsonObject {
  if (isObject(value)) return value;
  throw broken();
}

function member(value: JsonObject, name: string): JsonValue | undefined {
  return value[name];
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) return value as readonly JsonValue[];
  throw broken();
}

function text(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  throw broken();
}

function number(value: JsonValue | undefined): number {
  if (typeof value === 'number') return value;
  throw broken();
}

function path(value: JsonValue | undefined): string {
  const given = text(value);
  if (isAbsolute(given)) return given;
  throw broken();
}

function broken(): TrestleError {
  return new TrestleError({ code: 'broken_reply', message: 'A client sent a frame that is none of the protocol.' });
}
