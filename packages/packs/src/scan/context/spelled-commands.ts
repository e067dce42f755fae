const ASSIGNED =
  /(?:^|[\s;&(])(?:export\s+|local\s+|readonly\s+|declare\s+(?:-\w+\s+)?)?([A-Za-z_]\w{0,39})=(?:"([^"$`\\\n]{1,300})"|'([^'\n]{1,300})'|([^\s"'$`\\;&|()<>]{1,300}))(?=[\s;&)]|$)/g;
/** Where a shell expects a command, with a variable in the word. */
const CALLED =
  /(^|[|;&(`]|\b(?:sudo|exec|then|do|else|nohup)\s)(\s*)(["']?)((?:[$]\{?\w{1,40}(?::-\w{1,20})?\}?|[\w./-]{1,20}){1,6})\3(?=[\s;|&)]|$)/g;
const VARIABLE = /[$](?:\{(\w{1,40})(?::-(\w{1,20}))?\}|(\w{1,40}))/g;
const COMMAND =
  /^(?:\/(?:usr\/)?bin\/)?(?:curl|wget|(?:ba|z|da|k)?sh|python3?|perl|ruby|node|php|nc|ncat|eval|source|base64|openssl|xxd|rm|shred|dd)(?=\s|$)/;
const MAX_VARIABLES = 200;

/** Writes commands by their name where a variable, or several, hold it: `B=bash; … | $B`. */
export function spelledCommands(lines: string[], first: number, end: number): void {
  const values = new Map<string, string>();
  for (let index = first; index < end; index++) {
    const line = lines[index] ?? "";
    if (line.length > 2000) continue;
    if (line.includes("=") && values.size < MAX_VARIABLES) {
      for (const [, name = "", double, single, bare] of line.matchAll(ASSIGNED))
        values.set(name, double ?? single ?? bare ?? "");
    }
    if (!line.includes("$")) continue;
    lines[index] = line.replaceAll(
      CALLED,
      (whole, before: string, blank: string, _quote: string, word: string) => {
        if (!word.includes("$")) return whole;
        const spelled = word.replaceAll(
          VARIABLE,
          (variable, braced?: string, fallback?: string, plain?: string) =>
            values.get(braced ?? plain ?? "") ?? fallback ?? variable,
        );
        return COMMAND.test(spelled) ? `${before}${blank}${spelled}` : whole;
      },
    );
  }
}

/** The address that the nearest line above gives a variable. */
export function assignedAddress(lines: readonly string[], index: number, name: string): string {
  for (let at = index; at >= Math.max(0, index - 200); at--) {
    const line = lines[at] ?? "";
    if (!line.includes(name) || line.length > 2000) continue;
    for (const [, assigned, double, single, bare] of line.matchAll(ASSIGNED)) {
      const value = double ?? single ?? bare ?? "";
      if (assigned === name && /^(?:https?|ftp):\/\//.test(value)) return value;
    }
  }
  return "";
}
