const FOLDER = /\b(?:folders?|dir|director(?:y|ies))\b|目录|文件夹/;
/** The last word of a request after "in": "check what is in backup". */
const AFTER_IN =
  /\b(?:in|inside|under|of|at)\s(?:the\s|my\s)?([a-z0-9_@][\w@+-]{1,60})(?:\sfolder|\sdirectory)?\s{0,3}[.?!]?\s{0,5}$/iu;
const NO_NAME =
  /^(?:it|this|that|here|there|them|these|those|detail|details|english|german|french|chinese|general|short|full|folder|directory|skill|project|file|files|order|place|one|all|words?|lines?)$/i;
/** `weekly-notes` is a name, whatever stands around it. */
const KEBAB = /(?<![\w./-])[a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,6}(?![\w/-]|\.[a-z])/;

/** A folder that is named without a slash, for a place that takes nothing else. */
export function folderSaid(place: string, request: string): readonly string[] {
  if (!FOLDER.test(place) || /\bfiles?\b/.test(place)) return [];
  const text = request.slice(-300);
  const name = AFTER_IN.exec(text)?.[1] ?? KEBAB.exec(text)?.[0];
  return name === undefined || NO_NAME.test(name) ? [] : [`${name}/`];
}
