import { statSync } from './look.ts';
import { renamePath } from './write.ts';

/** Renames what cannot be read, so that nothing is lost: `a.json` becomes `a.json.corrupt`, or `a.json.corrupt-2` where that stands already. */
export async function moveAside(path: string): Promise<string> {
  let aside = `${path}.corrupt`;
  for (let number = 2; statSync(aside) !== undefined; number += 1) aside = `${path}.corrupt-${number}`;
  await renamePath(path, aside);
  return aside;
}
