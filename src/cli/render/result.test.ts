import { expect, it } from 'vitest';
import { describeCut, onlyBinary, renderPresented, soleBinary } from './result.ts';

const png = 'iVBORw0KGgo=';
const image = { type: 'image', data: png, mimeType: 'image/png' } as const;
const text = { type: 'text', text: 'a caption' } as const;
const file = { type: 'resource', resource: { uri: 'file:///a', blob: png } };

it('L2: -o is offered for the only image of a result, and --json for one of several', () => {
  expect(renderPresented({ blocks: [text, image], cut: undefined })).toBe(
    'a caption\n[image image/png, 9 B; save it with -o FILE]\n',
  );
  expect(renderPresented({ blocks: [image, image], cut: undefined })).not.toContain('-o FILE');
});

it('L2: the only image or file among texts can be saved by itself', () => {
  const bytes = Buffer.from(png, 'base64');
  expect(onlyBinary([text, image, text])).toEqual({ bytes, besides: [text, text] });
  expect(onlyBinary([file])).toEqual({ bytes, besides: [] });
  expect(onlyBinary([image, file])).toBeUndefined();
  expect(onlyBinary([text])).toBeUndefined();
  expect(onlyBinary([{ ...image, data: '***' }])).toBeUndefined();
});

it('L2: only a result that is nothing else goes into a pipe as bytes', () => {
  expect(soleBinary([image])).toEqual(Buffer.from(png, 'base64'));
  expect(soleBinary([text, image])).toBeUndefined();
});

it('B5: where the whole could not be kept, the reason stands as the sentence it is', () => {
  const size = { totalBytes: 4096, totalLines: 2, shownBytes: 1024, shownLines: 1 };
  expect(describeCut({ ...size, path: undefined, reason: 'Cannot write /x: no space.' })).toBe(
    'Shown: 1.0 KiB of 4.0 KiB, 1 line of 2. The whole could not be kept: Cannot write /x: no space. --full or -o FILE would give all of it, but a tool runs again for that.',
  );
});
