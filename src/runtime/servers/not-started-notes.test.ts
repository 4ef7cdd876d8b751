import { expect, it } from 'vitest';
import { waitingNotes } from './not-started-notes.ts';

it('K2: servers that a project asks for are told of in a line for each reason, however many there are', () => {
  const waiting = new Map([
    ['one', { why: 'not approved' }],
    ['two', { why: 'changed since approval' }],
    ['three', { why: 'not approved' }],
  ] as const);
  expect(waitingNotes(waiting)).toEqual([
    'A project asks for one, three: not approved, so they are not started. See each, and approve it: trestle approve one --connect',
    'A project asks for two: changed since approval, so it is not started. See what it is, and approve it: trestle approve two --connect',
  ]);
  expect(waitingNotes(new Map())).toEqual([]);
});
