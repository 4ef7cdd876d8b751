/** The initialize of a server whose era is not quite certain: a late answer to the probe may still decide for modern. */
import { within } from '../../base/index.ts';
import type { Connection, Dialling } from './dialling.ts';
import { askInitialize, handshakeIds, type Introduction } from './handshake.ts';

/** A connection and what the server said of itself. */
export interface Found {
  readonly connection: Connection;
  readonly introduction: Introduction;
}

export interface Doubt {
  /** A modern answer that comes after all, with the connection it came on; or undefined. Never rejects. */
  readonly late: Promise<Found | undefined>;
  /** How long it is waited for once initialize has failed. */
  readonly patience: Promise<void>;
}

/** Initializes, or learns meanwhile that the server is modern. Rejects with what initialize failed with, or the deadline's reason. */
export async function greet(dialling: Dialling, connection: Connection, doubt?: Doubt): Promise<Found> {
  const initialize = askInitialize(connection.gate, dialling.handshake).then((introduction) => ({
    connection,
    introduction,
  }));
  if (doubt === undefined) return await within(dialling.deadline, initialize);
  const { late, patience } = doubt;
  const unlessLate = initialize.catch(async (error: unknown) => {
    const found = await Promise.race([late, patience.then(() => undefined)]);
    if (found === undefined) throw error;
    return found;
  });
  const orLate = late.then((found) => found ?? unlessLate);
  const found = await within(dialling.deadline, Promise.race([unlessLate, orLate]));
  // The answer to initialize, when it comes at last, belongs to nothing.
  if (found.introduction.era === 'modern') connection.gate.forget(handshakeIds.initialize);
  return found;
}
