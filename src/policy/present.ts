/** What of a result is shown, and where the rest is. */
import type { JsonValue } from '../base/index.ts';
import type { Redactor } from './redact.ts';

/** A tool's or resource's result as the server sent it; members are unvalidated. */
export interface ToolResult {
  readonly content: readonly JsonValue[];
  readonly structuredContent?: JsonValue;
  readonly isError?: boolean;
  readonly _meta?: JsonValue;
}

export type ShownBlock =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is base64. */
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

/** That something was cut, and where the whole is. */
export interface Cut {
  readonly totalBytes: number;
  readonly totalLines: number;
  readonly shownBytes: number;
  readonly shownLines: number;
  /** Absolute path of the whole; undefined when it could not be written (`reason` says why). */
  readonly path: string | undefined;
  readonly reason?: string;
}

export interface Presented {
  readonly blocks: readonly ShownBlock[];
  readonly cut: Cut | undefined;
}

export interface GuardSettings {
  readonly enabled: boolean;
  readonly maxBytes: number;
  readonly maxLines: number;
}

export interface PresentOptions {
  readonly guard: GuardSettings;
  readonly redactor: Redactor;
  /** Folder for whole outputs. */
  readonly spillFolder: string;
  /** Names the spill file: server and tool. */
  readonly label: string;
  readonly nowMs: number;
}

/**
 * The blocks of a result for a model (B3): text and images native; audio, links, embedded resources and unknown blocks as a
 * readable line; structured content unless a text block parses to the equal value; "(no output)" for nothing. Pure.
 */
export function toBlocks(result: ToolResult): readonly ShownBlock[] {
  throw new Error(`not built: ${JSON.stringify(result)}`);
}

/** The blocks of a resource's contents for a model. Pure. */
export function resourceBlocks(contents: readonly JsonValue[]): readonly ShownBlock[] {
  throw new Error(`not built: ${JSON.stringify(contents)}`);
}

/** Redact, spill, clean, cut: in this order. Never throws for a full disk: the cut then says so. */
export async function guardBlocks(blocks: readonly ShownBlock[], options: PresentOptions): Promise<Presented> {
  throw new Error(`not built: ${blocks.length} ${options.label}`);
}

/** Removes spilled outputs older than limits.spillAgeMs. */
export async function sweepSpills(spillFolder: string, nowMs: number): Promise<number> {
  throw new Error(`not built: ${spillFolder} ${nowMs}`);
}
