/**
 * How long a test waits for what must come. Only a test that fails waits that long, so it is far beyond what a busy machine takes; and
 * half of what processes of tests live that end by themselves, so that none of them comes true by waiting.
 */
const patienceMs = 30_000;

/** Resolves as soon as `check` is true; rejects when it stays false. */
export async function eventually(check: () => boolean | Promise<boolean>, subject = 'the condition'): Promise<void> {
  const endMs = performance.now() + patienceMs;
  while (!(await check())) {
    if (performance.now() > endMs) throw new Error(`${subject} did not come true within ${patienceMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
