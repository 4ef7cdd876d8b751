/**
 * Fits the weights of the token estimate: `node scripts/fit-token-weights.ts FOLDER [--write]`. FOLDER holds snapshots of servers, one
 * JSON file each with `tools`. Prints the error on servers that were not fitted on; with `--write` writes src/context/token-weights.ts
 * from all of them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTokenizer } from '../src/context/exact-count.ts';
import { countFeatures, featureNames } from '../src/context/text-features.ts';

interface Snapshot {
  readonly server: string;
  readonly tools: readonly { readonly name: string; readonly description?: string; readonly inputSchema?: unknown }[];
}

interface Sample {
  readonly features: Float64Array;
  readonly tokens: number;
}

/** Scripts that the snapshots hardly have. */
const sentences = [
  'Durchsucht die Dateien und gibt die gefundenen Zeilen zurück, größere zuerst; für Übersichten wählen Sie „kurz“.',
  'Recherche les fichiers modifiés depuis hier, y compris ceux qui ont été déplacés ou renommés.',
  'Busca los archivos y devuelve las líneas encontradas; también funciona con páginas en español.',
  'Ищет файлы по имени и содержимому и возвращает найденные строки вместе с номерами.',
  'Αναζητά αρχεία και επιστρέφει τις γραμμές που βρέθηκαν.',
  'يبحث في الملفات ويعيد الأسطر التي تم العثور عليها مع أرقامها.',
  'מחפש בקבצים ומחזיר את השורות שנמצאו.',
  'फ़ाइलों में खोजता है और मिली हुई पंक्तियाँ लौटाता है।',
  '搜索文件并返回找到的行，包括行号和所在的文件夹。',
  'ファイルを検索し、見つかった行を行番号とともに返します。',
  '파일을 검색하고 찾은 줄을 줄 번호와 함께 돌려줍니다.',
  '🚀 Deploys → checks ✅ → tells you; ⚠️ deletes nothing • 3 × faster — “really”…',
];

const [folder, ...flags] = process.argv.slice(2);
if (folder === undefined) throw new Error('which folder?');
const count = await loadTokenizer();

function sampleOf(text: string): Sample {
  const features = new Float64Array(featureNames.length);
  countFeatures(text, features);
  return { features, tokens: count(text) };
}

/** What of a server may stand in a block, in pieces of a block's size. */
function samplesOf({ tools }: Snapshot): readonly Sample[] {
  const texts: string[] = [];
  for (let at = 0; at < tools.length; at += 8) {
    const some = tools.slice(at, at + 8);
    for (const characters of [80, 40]) {
      texts.push(some.map(({ name, description = '' }) => `- ${name}: ${line(description, characters)}`).join('\n'));
    }
    texts.push(some.map(({ name }) => name).join(', '));
  }
  for (const { description = '', inputSchema } of tools) {
    texts.push(JSON.stringify(inputSchema ?? {}));
    if (description !== '') texts.push(description);
  }
  return texts.map(sampleOf);
}

function line(text: string, characters: number): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, characters);
}

/** Least squares of the relative error, held back a little so that rare features stay small; no weight under zero. */
function fit(samples: readonly Sample[]): readonly number[] {
  const size = featureNames.length;
  const active = new Set(featureNames.keys());
  for (;;) {
    const places = [...active];
    const matrix = places.map((row) =>
      places.map((column) => {
        let sum = row === column ? 1e-3 : 0;
        for (const { features, tokens } of samples)
          sum += ((features[row] ?? 0) * (features[column] ?? 0)) / tokens ** 1.5;
        return sum;
      }),
    );
    const right = places.map((row) =>
      samples.reduce((sum, { features, tokens }) => sum + (features[row] ?? 0) / tokens ** 0.5, 0),
    );
    const solved = solve(matrix, right);
    const lowest = solved.findIndex((weight) => weight < 0);
    if (lowest === -1) {
      const weights = Array.from({ length: size }, () => 0);
      for (const [index, place] of places.entries()) weights[place] = solved[index] ?? 0;
      return weights;
    }
    active.delete(places[solved.indexOf(Math.min(...solved))] ?? 0);
  }
}

function solve(matrix: number[][], right: number[]): readonly number[] {
  const rows = matrix.map((row, index) => [...row, right[index] ?? 0]);
  for (const [pivot, own] of rows.entries()) {
    const lead = own[pivot] ?? 1;
    for (let column = pivot; column < own.length; column += 1) own[column] = (own[column] ?? 0) / lead;
    for (const [index, other] of rows.entries()) {
      const factor = other[pivot] ?? 0;
      if (index === pivot || factor === 0) continue;
      for (let column = pivot; column < own.length; column += 1) {
        other[column] = (other[column] ?? 0) - factor * (own[column] ?? 0);
      }
    }
  }
  return rows.map((row) => row.at(-1) ?? 0);
}

/** Relative errors of sums of samples of about `tokens`, taken one after another. */
function errorsOf(samples: readonly Sample[], weights: readonly number[], tokens: number): readonly number[] {
  const errors: number[] = [];
  let [real, guessed] = [0, 0];
  for (const sample of samples) {
    real += sample.tokens;
    guessed += weights.reduce((sum, weight, place) => sum + weight * (sample.features[place] ?? 0), 0);
    if (real < tokens) continue;
    errors.push(Math.abs(guessed - real) / real);
    [real, guessed] = [0, 0];
  }
  return errors.sort((a, b) => a - b);
}

const snapshots = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => samplesOf(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Snapshot));
const foreign = sentences.flatMap((sentence) => [sampleOf(sentence)]);
for (const tokens of [500, 2_000, 8_000]) {
  const errors = [0, 1, 2, 3]
    .flatMap((fold) => {
      const weights = fit([...snapshots.filter((_, index) => index % 4 !== fold).flat(), ...foreign]);
      return errorsOf(snapshots.filter((_, index) => index % 4 === fold).flat(), weights, tokens);
    })
    .sort((a, b) => a - b);
  const percent = (share: number): string => `${(100 * (errors[Math.floor(share * errors.length)] ?? 0)).toFixed(1)} %`;
  console.log(`${tokens} tokens: median ${percent(0.5)}, 95th percentile ${percent(0.95)} of ${errors.length}`);
}
const weights = fit([...snapshots.flat(), ...foreign]);
console.log(featureNames.map((name, index) => `${(weights[index] ?? 0).toFixed(3).padStart(7)}  ${name}`).join('\n'));
if (flags.includes('--write')) {
  const file = join(import.meta.dirname, '../src/context/token-weights.ts');
  const head = readFileSync(file, 'utf8').split('\n')[0];
  const lines = weights.map((weight, index) => `  ${Number(weight.toFixed(3))}, // ${featureNames[index]}`);
  writeFileSync(file, `${head}\nexport const tokenWeights: readonly number[] = [\n${lines.join('\n')}\n];\n`);
}
