import { quotesIn } from "./quotes.ts";

/** Words of tasks in German, whatever the task is about, and what an English description says for them. */
const WORDS: readonly (readonly [german: string, english: string])[] = [
  ["vergleich(?:e|en|t)?|gegenüberstellen", "compare"],
  ["unterschied(?:e|en|s)?", "difference"],
  ["unterscheiden(?: sich)?", "differ"],
  [
    "(?:, ?)?(?:in|bei|für|wo) (?:denen|der|dem|die)(?= [^,.]{3,80}(?:ist|sind)[.!?]?$)|wo(?= \\S{1,60} )",
    " where",
  ],
  ["(?<=where [^,.]{1,60})gleich", "="],
  ["(?<=where [^,.]{1,60}=[^,.]{1,60} )(?:ist|sind)(?=\\s{0,3}[.!?]?$)", ""],
  ["(?<=where [^,.]{1,60})(?:ist )?nicht", "is not"],
  ["ergebnis(?:se)?", "result"],
  ["identisch|gleich", "identical"],
  ["geändert|verändert", "changed"],
  ["zwischen", "between"],
  ["(?:über)?prüf(?:e|en|t)?|pruefe[nt]?|kontrollier(?:e|en)", "check"],
  ["validier(?:e|en|t)", "validate"],
  ["gültig(?:e[rsnm]?)?|korrekt", "valid"],
  ["gegen", "against"],
  ["fehler", "errors"],
  ["regel(?:n)?", "rules"],
  ["ordner[ns]?|verzeichniss?e?", "folders"],
  ["datei(?:en)?", "file"],
  ["tabellen?", "table"],
  ["daten", "data"],
  ["spalten?", "columns"],
  ["zeilen?", "rows"],
  ["wort für wort|wortweise", "word by word"],
  ["zeile für zeile|zeilenweise", "line by line"],
  ["summe(?:n)?|summier(?:e|en)|gesamt(?:e[rsn]?)?|addier(?:e|en)", "sum"],
  ["durchschnitt(?:lich(?:e[rsn]?)?)?|mittelwert", "average"],
  ["größte[rsn]?|höchste[rsn]?|maximal(?:e[rsn]?)?", "highest"],
  ["kleinste[rsn]?|niedrigste[rsn]?|minimal(?:e[rsn]?)?", "lowest"],
  ["anzahl|zähl(?:e|en)", "count"],
  ["pro|je|für jede[nrs]?", "per"],
  ["gruppier(?:e|en)? nach|nach", "by"],
  ["filter(?:e|n)|filtriere", "filter"],
  ["nur", "only"],
  ["sortiert|geordnet", "sorted"],
  ["sortier(?:e|en)", "sort"],
  ["(?:die )?ersten(?= \\d)", "top"],
  ["zeig(?:e|en)?(?: mir)?", "show"],
  ["größer(?: als)?|mehr als|über(?= -?\\d)", "greater than"],
  ["kleiner(?: als)?|weniger als|unter(?= -?\\d)", "less than"],
  ["mindestens", "at least"],
  ["höchstens", "at most"],
  ["verbind(?:e|en)|verknüpf(?:e|en)|zusammenführen|führe(?= )", "join"],
  ["über(?= \\p{L})|anhand", "on"],
  ["profil|überblick(?: über)?|übersicht(?: über)?", "overview"],
  ["profilier(?:e|en)", "profile"],
  ["analysier(?:e|en)", "analyze"],
  ["beschreib(?:e|en)", "describe"],
  ["fasse|zusammenfassen", "summarize"],
  ["(?:rechne|wandle|konvertier(?:e|en)|umrechnen|umwandeln)", "convert"],
  ["um(?=\\s{0,3}[.!?]?$)", ""],
  ["wie ?viele?", "how many"],
  ["sind", "are"],
  ["ist", "is"],
  ["was", "what"],
  ["steht|enthält", "contains"],
  ["welche[rsnm]?", "which"],
  ["hat|haben", "have"],
  ["meilen?", "miles"],
  ["kilometern?", "kilometers"],
  ["metern?", "meters"],
  ["zoll", "inches"],
  ["fuß", "feet"],
  ["pfund", "pounds"],
  ["unzen?", "ounces"],
  ["gramm", "grams"],
  ["kilogramm|kilo", "kilograms"],
  ["litern?", "liters"],
  ["gallonen?", "gallons"],
  ["stunden?", "hours"],
  ["minuten?", "minutes"],
  ["sekunden?", "seconds"],
  ["grad", "degrees"],
  ["schreib(?:e|en)?", "write"],
  ["erstell(?:e|en)|erzeug(?:e|en)|mach(?:e|en)?|anlegen", "create"],
  ["entwirf|entwerfen", "draft"],
  ["zeichn(?:e|en)", "draw"],
  ["(?:monats|verkaufs)?bericht(?:e|s)?", "report"],
  ["balkendiagramm|säulendiagramm", "bar chart"],
  ["kreisdiagramm|tortendiagramm", "pie chart"],
  ["liniendiagramm", "line chart"],
  ["diagramm(?:e|s)?", "chart"],
  ["fähigkeit", "skill"],
  ["neue[nrsm]?", "new"],
  ["namens|mit dem namen", "named"],
  ["speicher(?:e|n)?", "save"],
  ["sie|es|ihn", "it"],
  ["darüber|davon|dazu", "about it"],
  ["und", "and"],
  ["dann|danach|anschließend", "then"],
  ["oder", "or"],
  ["mit", "with"],
  ["aus|von", "of"],
  ["als(?= \\S*\\.\\w)", "to"],
  ["für", "for"],
  ["ein(?:e[nrms]?)?", "a"],
  ["bitte|mal|mir", ""],
  ["(?:, ?)?(?:der|die|das)(?= [^,.]{3,200}t[.!]?$)", " that"],
  ["der|die|das|den|dem|des", "the"],
];
const BEFORE = String.raw`(?<![\p{L}\p{N}_./-])`;
const AFTER = String.raw`(?![\p{L}\p{N}_/-]|\.\p{L})`;
const RULES = WORDS.map(
  ([german, english]) => [new RegExp(`${BEFORE}(?:${german})${AFTER}`, "giu"), english] as const,
);
/** Words that hardly any other language has, and that nearly every sentence has one of. */
const GERMAN =
  /(?<![\p{L}\p{N}_./-])(?:und|oder|ist|sind|der|das|dem|eine[nrms]?|ein|für|aus|nach|wie|steht|enthält|welche[rsnm]?|zwischen|gegen|wenn|nicht|auch|bitte|vergleiche|prüfe|rechne|schreibe|erstelle|zeige|filtere|verbinde|summiere|summe|durchschnitt)(?![\p{L}\p{N}_/-]|\.\p{L})/giu;
const MAX_TEXT = 8000;
const MAX_QUOTES = 50;

/** A request in German with its common words in English; undefined for other languages. */
export function inEnglish(request: string): string | undefined {
  const text = request.slice(0, MAX_TEXT);
  if (text.match(GERMAN) === null || /\b(?:the|and|with|from|please|is|are)\b/i.test(text)) {
    return undefined;
  }
  let english = "";
  let done = 0;
  for (const { start, end } of quotesIn(text, MAX_QUOTES)) {
    english += translate(text.slice(done, start)) + text.slice(start, end);
    done = end;
  }
  return english + translate(text.slice(done)) + request.slice(MAX_TEXT);
}

/** Whether a longer text is written in German. */
export function isGerman(text: string): boolean {
  const start = text.slice(0, MAX_TEXT);
  return (start.match(GERMAN)?.length ?? 0) > start.length / 200;
}

function translate(text: string): string {
  let translated = text;
  for (const [pattern, english] of RULES) translated = translated.replace(pattern, english);
  return translated;
}
