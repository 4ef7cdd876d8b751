/** The real Pi with servers of a test's choosing, driven over RPC. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { testServer } from './cli.ts';
import { entryOf, piPlace, type PiRecord, scriptedModel } from './pi.ts';
import type { PiPlace } from './pi-place.ts';
import type { PiSession } from './pi-rpc.ts';
import type { Scripted, ScriptedModel } from './scripted-model.ts';
import { tempFolder } from './temp-folder.ts';

/** An entry for the counting server. */
export const counting = (): Readonly<Record<string, unknown>> =>
  entryOf(testServer('counting.mjs', 'stdio', join(tempFolder(), 'counted')));

export interface PiStage {
  readonly model: ScriptedModel;
  readonly place: PiPlace;
}

export async function piStage(
  servers: Readonly<Record<string, unknown>>,
  ...script: readonly Scripted[]
): Promise<PiStage> {
  const model = await scriptedModel(...script);
  return { model, place: piPlace(model, { servers }) };
}

/** What `/mcp-bridge` said to `line`, which is one notice; warnings are of what happens besides. */
export async function said(
  session: PiSession,
  line: string,
): Promise<{ readonly text: string; readonly level: unknown }> {
  const records = await session.prompt(`/mcp-bridge ${line}`);
  const notices = records.filter((record) => record['method'] === 'notify' && record['notifyType'] !== 'warning');
  expect(notices, line).toHaveLength(1);
  return { text: String(notices[0]?.['message']), level: notices[0]?.['notifyType'] };
}

/** The next dialog from `from` on. */
export function dialog(session: PiSession, method: 'select' | 'input', from = 0): Promise<PiRecord> {
  return session.waitFor((record) => record['method'] === method, from);
}

/** Answers a dialog; undefined: it is closed. */
export function answerDialog(session: PiSession, { id }: PiRecord, value: string | undefined): void {
  session.write({ type: 'extension_ui_response', id, ...(value === undefined ? { cancelled: true } : { value }) });
}
