import type { SignIns, SignInsOptions } from './sign-ins.ts';

/** Sign-in to servers that are reached over HTTP. Loaded when the first of them is: those of other servers never need it. */
export async function openSignIns(options: SignInsOptions): Promise<SignIns> {
  const { createSignIns } = await import('./sign-ins.ts');
  return createSignIns(options);
}
