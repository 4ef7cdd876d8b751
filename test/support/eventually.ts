/** Resolves as soon as `check` is true; rejects with what it last saw when it stays false for `withinMs`. */
export async function eventually(
  check: () => boolean | Promise<boolean>,
  withinMs = 5_000,
  subject = 'the condition',
): Promise<void> {
  const endMs = performance.now() + withinMs;
  while (!(await check())) {
    if (performance.now() > endMs) throw new Error(`${subject} did not come true within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
