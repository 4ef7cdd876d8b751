/** Tokens (o200k) a feature is worth, in the order of `featureNames`. Fitted by scripts/fit-token-weights.ts; do not edit. */
export const tokenWeights: readonly number[] = [
  0.946, // words to 3 letters
  1.052, // words to 7 letters
  0.936, // words to 11 letters
  0.981, // longer words
  0.126, // letters beyond the seventh of a word
  0, // words after anything but a space
  0.034, // words after a small letter
  0.099, // capitals in a row
  1.406, // digits by three
  0.544, // runs of punctuation
  0.126, // punctuation after the first of a run
  1.23, // line ends
  0.049, // spaces after the first of a run
  0, // underscores
  0, // quotation marks
  0.187, // brackets, colons and commas
  0, // Latin letters with marks
  0.354, // letters of Greek, Cyrillic and their like
  0.393, // letters of Hebrew, Arabic and Indian scripts
  0.738, // signs of Chinese, Japanese and Korean
  1.163, // symbols
  4.198, // signs beyond the basic plane
];
