type Rule = readonly [suffix: string, replacement: string];

const STEP_TWO: readonly Rule[] = [
  ["ational", "ate"],
  ["ization", "ize"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["entli", "ent"],
  ["ousli", "ous"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["alli", "al"],
  ["ator", "ate"],
  ["logi", "log"],
  ["bli", "ble"],
  ["eli", "e"],
];
const STEP_THREE: readonly Rule[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];
const STEP_FOUR: readonly string[] = [
  "ement",
  "ance",
  "ence",
  "able",
  "ible",
  "ment",
  "ant",
  "ent",
  "ism",
  "ate",
  "iti",
  "ous",
  "ive",
  "ize",
  "ion",
  "al",
  "er",
  "ic",
  "ou",
];
/** Longer ones are identifiers, and a stem of them helps nobody. */
const LONGEST = 32;

/** The stem by Porter's algorithm. The word is in small letters; others than a to z come back as they are. */
export function stemEnglish(word: string): string {
  if (word.length < 3 || word.length > LONGEST || !/^[a-z]+$/.test(word)) return word;
  const stem = withoutY(withoutPast(withoutPlural(word)));
  return withoutFinalE(withoutEnding(replaced(replaced(stem, STEP_TWO), STEP_THREE)));
}

function withoutPlural(word: string): string {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function withoutPast(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const cut = word.endsWith("ed") ? 2 : word.endsWith("ing") ? 3 : 0;
  const stem = word.slice(0, word.length - cut);
  if (cut === 0 || !hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsDouble(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function withoutY(word: string): string {
  const stem = word.slice(0, -1);
  return word.endsWith("y") && hasVowel(stem) ? `${stem}i` : word;
}

function replaced(word: string, rules: readonly Rule[]): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const stem = word.slice(0, -rule[0].length);
  return measure(stem) > 0 ? stem + rule[1] : word;
}

function withoutEnding(word: string): string {
  const ending = STEP_FOUR.find((suffix) => word.endsWith(suffix));
  if (ending === undefined) return word;
  const stem = word.slice(0, -ending.length);
  return measure(stem) > 1 && (ending !== "ion" || /[st]$/.test(stem)) ? stem : word;
}

function withoutFinalE(word: string): string {
  let result = word;
  if (word.endsWith("e")) {
    const stem = word.slice(0, -1);
    const size = measure(stem);
    if (size > 1 || (size === 1 && !endsShort(stem))) result = stem;
  }
  return result.endsWith("ll") && measure(result) > 1 ? result.slice(0, -1) : result;
}

/** How often a vowel is followed by a consonant. */
function measure(stem: string): number {
  let count = 0;
  let vowel = false;
  for (let i = 0; i < stem.length; i++) {
    const consonant = isConsonant(stem, i);
    if (consonant && vowel) count++;
    vowel = !consonant;
  }
  return count;
}

function hasVowel(stem: string): boolean {
  for (let i = 0; i < stem.length; i++) if (!isConsonant(stem, i)) return true;
  return false;
}

function endsDouble(stem: string): boolean {
  const last = stem.length - 1;
  return last > 0 && stem[last] === stem[last - 1] && isConsonant(stem, last);
}

/** Consonant, vowel, consonant: the ending of words that have lost an e. */
function endsShort(stem: string): boolean {
  const last = stem.length - 1;
  if (last < 2 || /[wxy]$/.test(stem)) return false;
  return isConsonant(stem, last) && !isConsonant(stem, last - 1) && isConsonant(stem, last - 2);
}

function isConsonant(stem: string, at: number): boolean {
  const letter = stem[at] ?? "";
  if (letter !== "y") return !"aeiou".includes(letter);
  return at === 0 || !isConsonant(stem, at - 1);
}

/** Words that say nothing about a subject. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  list(`a an the and or but if then else of to in on at by for with from as is are was were be been
  being it its this that these those there here i me my mine we us our you your he she they them
  their his her what which who whom how when where why do does did done doing can could should would
  will shall may might must not no nor so than too very just also only into onto about over under
  again more most some any each every all both such own same other s t d m ll re ve don`),
);

/** Forms no rule of endings finds, and short forms that mean the long word: pairs of from and to. */
export const SAME_WORDS: ReadonlyMap<string, string> = new Map(
  pairs(`wrote write written write built build ran run broke break broken break sent send made make
  found find kept keep left leave lost lose went go gone go took take taken take gave give given give
  chose choose chosen choose began begin begun begin drew draw drawn draw grew grow grown grow
  knew know known know spoke speak spoken speak stolen steal thought think bought buy brought bring
  caught catch taught teach told tell sold sell paid pay said say met meet led lead held hold
  spent spend understood understand stuck stick children child people person men man women woman
  indices index matrices matrix analyses analyze analysis analyze analyse analyze analysing analyze
  optimise optimize summarise summarize organise organize visualise visualize colour color
  behaviour behavior repo repository repos repository docs documentation doc document
  config configuration configs configuration auth authentication db database dbs database
  js javascript ts typescript py python k8s kubernetes env environment envs environment
  perf performance app application apps application a11y accessibility i18n internationalization
  l10n localization img image spec specification specs specification dev development
  dep dependency deps dependency msg message param parameter params parameter lib library libs library
  prod production vuln vulnerability vulns vulnerability sync synchronize ppt presentation
  pptx presentation postgres postgresql mongo mongodb golang go`),
);

function list(text: string): string[] {
  return text.split(/\s+/);
}

function pairs(text: string): [string, string][] {
  const words = list(text);
  return words.flatMap((from, i) => (i % 2 === 0 ? [[from, words[i + 1] ?? from]] : []));
}
