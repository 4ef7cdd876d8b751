/**
 * Words that tools and those who look for them use for the same thing. Only what holds for software in general and in both
 * directions: each would stand in a thesaurus or is the short form of another. What belongs to one product or trade is not here, nor
 * what is merely near ("article" and "paper"): a tool says that itself, or is not meant.
 */
import { wordsOf } from './words.ts';

const actions = `
  get fetch retrieve read obtain
  fetch download
  create add make new generate
  delete remove erase drop
  list show enumerate
  show display view
  search find query lookup
  update edit modify change
  send post publish
  run execute start launch invoke
  save write store
  stop kill terminate cancel
  open navigate browse visit
  move rename
  copy duplicate clone
  merge combine join
  upload attach put
  calculate compute
  add sum total
  compare diff difference
  convert transform
  check validate verify
  analyze analyse analysis inspect
  choose select pick
  scrape crawl
  draw paint render
  recommend suggest
  summarize summary`;

const things = `
  folder directory
  picture image photo
  document doc
  documentation docs
  repository repo
  configuration config settings
  database db
  application app
  website site
  command shell terminal
  email mail
  event meeting appointment
  task todo
  issue ticket bug
  price cost`;

/** For each word, as a search cuts it, those of its groups, itself among them. */
export const synonyms: ReadonlyMap<string, ReadonlySet<string>> = readGroups(`${actions}${things}`);

function readGroups(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const byWord = new Map<string, Set<string>>();
  for (const line of text.trim().split('\n')) {
    const group = wordsOf(line);
    for (const one of group) byWord.set(one, new Set([...(byWord.get(one) ?? []), ...group]));
  }
  return byWord;
}
