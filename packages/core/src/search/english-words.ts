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
