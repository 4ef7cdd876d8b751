/** What the block shows of each server, what it leaves out, and why. */
import { limits, plural } from '../base/index.ts';
import { cleanLine, cleanText, writableName } from '../policy/index.ts';
import type { Choice, Place, Rung, Shape } from './ladder.ts';
import type { BlockSettings, LeftOutServer, Offers, ServerOffer } from './offer.ts';

export interface ServerReceipt {
  readonly server: string;
  readonly tools: number;
  /** Undefined where the server has no part of its own. */
  readonly rung: Rung | undefined;
  /** Names of tools in the block. */
  readonly namesShown: number;
  /** Of its part, by the estimate. */
  readonly aboutTokens: number;
  /** What of it is not in the block, one clause each. */
  readonly leftOut: readonly string[];
}

export interface Receipt {
  readonly budgetTokens: number;
  readonly shape: Shape;
  readonly servers: readonly ServerReceipt[];
  /** Known servers that are not offered, and why. */
  readonly notOffered: readonly LeftOutServer[];
  /** Why the block is what it is, one sentence each. */
  readonly why: readonly string[];
}

export interface ReceiptFacts {
  readonly offers: Offers;
  readonly settings: BlockSettings;
  readonly choice: Choice;
  readonly tokens: number;
  readonly cost: (server: string, place: Place) => number;
}

export function makeReceipt({ offers, settings, choice, tokens, cost }: ReceiptFacts): Receipt {
  const { shape, places } = choice;
  const servers = [...offers.servers]
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map((offer): ServerReceipt => {
      const place = shape === 'sections' || shape === 'root' ? places.get(offer.name) : undefined;
      const size = offer.tools.length;
      return {
        server: offer.name,
        tools: size,
        rung: place?.rung,
        namesShown: place === undefined ? 0 : place.rung === 'counts' ? place.names : size,
        aboutTokens: place === undefined ? 0 : Math.round(cost(offer.name, place)),
        leftOut: leftOutOf(offer, place, shape),
      };
    });
  return {
    budgetTokens: settings.budgetTokens,
    shape: servers.length === 0 ? 'nothing' : shape,
    servers,
    notOffered: offers.leftOut,
    why: reasons({ offers, settings, shape, tokens, servers }),
  };
}

function leftOutOf(offer: ServerOffer, place: Place | undefined, shape: Shape): readonly string[] {
  if (place === undefined) return ['everything'];
  const out: string[] = [];
  const size = offer.tools.length;
  const tells = (limit: number, text: (tool: ServerOffer['tools'][number]) => string): number =>
    offer.tools.filter((tool) => text(tool).length > limit).length;
  if (size > 0 && place.rung !== 'schemas') out.push('schemas');
  if (place.rung === '80' || place.rung === '40') {
    const cut = tells(Number(place.rung), ({ description }) => description);
    if (cut > 0) out.push(`${plural(cut, 'description')} beyond ${place.rung} characters`);
  } else if (place.rung === 'schemas') {
    const cut = tells(limits.descriptionCharacters, ({ full }) => full?.description ?? '');
    if (cut > 0) out.push(`${plural(cut, 'description')} beyond ${limits.descriptionCharacters} characters`);
    const unread = offer.tools.filter(({ full }) => full === undefined).length;
    if (unread > 0) out.push(`${plural(unread, 'schema')} that could not be read`);
  } else if (size > 0) out.push('descriptions of tools');
  if (place.rung === 'counts' && place.names < size) out.push(plural(size - place.names, 'name'));
  const instructions = cleanLine(offer.instructions, Number.MAX_SAFE_INTEGER).length;
  if (place.rung === 'counts') {
    if (instructions > 0) out.push('instructions');
  } else if (instructions > limits.blockInstructionsCharacters) {
    out.push(`instructions beyond ${limits.blockInstructionsCharacters} characters`);
  }
  if (shape === 'root') out.push('folder and description');
  return [...out, ...unshownOf(offer, place, shape)];
}

/** What of the texts that stand in the block cannot be shown as it is. */
function unshownOf(offer: ServerOffer, { rung, names }: Place, shape: Shape): readonly string[] {
  const listed = rung === 'counts' ? offer.tools.slice(0, names) : offer.tools;
  const byKey = listed.filter((tool) => writableName(tool) !== tool.name).length;
  const ofTools = rung === 'names' || rung === 'counts' ? [] : offer.tools.map(({ description }) => description);
  const ofServer = shape === 'root' ? [] : [offer.description, ...(rung === 'counts' ? [] : [offer.instructions])];
  const hiding = [...ofServer, ...ofTools].filter((text) => cleanText(text) !== text.replaceAll('\r\n', '\n')).length;
  return [
    ...(byKey > 0 ? [`${plural(byKey, 'name')} that cannot be shown (by key)`] : []),
    ...(hiding > 0 ? [`hidden characters of ${plural(hiding, 'text')}`] : []),
  ];
}

function reasons(facts: {
  readonly offers: Offers;
  readonly settings: BlockSettings;
  readonly shape: Shape;
  readonly tokens: number;
  readonly servers: readonly ServerReceipt[];
}): readonly string[] {
  const { offers, settings, shape, tokens, servers } = facts;
  if (servers.length === 0) {
    const known = offers.leftOut.length;
    const rest = known === 0 ? '' : ` ${plural(known, 'known server is', 'known servers are')} not offered.`;
    return [`There is no server to tell of.${rest}`];
  }
  const budget = `the budget of ${settings.budgetTokens} tokens`;
  const tools = offers.servers.reduce((sum, server) => sum + server.tools.length, 0);
  const why: string[] = [];
  const isRead = offers.servers.some((server) => server.tools.some(({ full }) => full !== undefined));
  const first = isRead && tools <= settings.schemaToolLimit ? 'schemas' : '80';
  const lowered = servers.filter(({ rung }) => rung !== undefined && rung !== first).length;
  if (shape === 'nothing') why.push(`Not even one line fits into ${budget}.`);
  else if (shape === 'line') why.push(`A line a server does not fit into ${budget}.`);
  else if (shape === 'root') why.push(`A section a server does not fit into ${budget}.`);
  else if (lowered > 0) why.push(`${plural(lowered, 'server is', 'servers are')} shown with less to keep ${budget}.`);
  if (settings.schemaToolLimit === 0) why.push('Schemas are never inlined (schemaInjectionToolLimit 0).');
  else if (tools > settings.schemaToolLimit) {
    why.push(`Schemas are not inlined: ${tools} tools are more than ${settings.schemaToolLimit}.`);
  }
  why.push(`The block has ${plural(tokens, 'token')}.`);
  return why;
}
