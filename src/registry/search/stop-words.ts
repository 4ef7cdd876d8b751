/**
 * Words that say nothing of what a tool does: articles, prepositions, pronouns, and how requests are worded. Languages whose
 * queries share a script with English are here with their commonest words; the others weigh little by themselves.
 */
const english =
  'a about above after all also am an and any are as at be been before being below between both but by can could did do does doing done down during each either else etc ever every few for from further had has have having he her here hers him his how i if in into is it its itself just let like may me might more most must my near need no nor not now of off on once only or other our out over own per please same shall she should so some such than that the their them then there these they this those through to too under until up upon us use used uses using various very via want was we well were what when where whether which while who whom whose why will with within without would you your yours';
const others =
  'das dem den der des die ein eine einen einer eines fuer für ich im ist mit oder und von zu zum zur au aux avec ce ces dans de du en est et la le les ou par pas pour que qui sur un une con del el es las lo los para por se su sus una y';

export const stopWords: ReadonlySet<string> = new Set(`${english} ${others}`.split(' '));
