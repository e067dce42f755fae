import { MalformedError } from "./ssh-wire.ts";

/** What signatures of packs are made for; one made for mail or git is none of a pack. */
export const NAMESPACE = "skillwright-pack";

/** Words of a line, of which parts may be in double quotes. */
export function splitWords(line: string): string[] {
  const words = line.match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
  if (line.replace(/"[^"]*"/g, "").includes('"')) {
    throw new MalformedError("a quote is not closed");
  }
  return words;
}

/**
 * Whether the options of an allowed_signers line let its key sign packs now: undefined if so,
 * `not-now` when the line is for another time or purpose, else why it cannot be understood.
 */
export function signerOptionsProblem(options: string, now: Date): string | undefined {
  let applies = true;
  for (const option of options.match(/(?:[^,"]|"[^"]*")+/g) ?? []) {
    const [, name = "", value = ""] = /^([^=]+)(?:="?([^"]*)"?)?$/.exec(option) ?? [];
    switch (name.toLowerCase()) {
      case "namespaces":
        applies &&= value.split(",").some(matchesNamespace);
        break;
      case "valid-after":
        applies &&= timeOf(value) <= now.getTime();
        break;
      case "valid-before":
        applies &&= now.getTime() < timeOf(value);
        break;
      case "cert-authority":
        return "certificate authorities are not supported";
      default:
        return `the option ${JSON.stringify(name)} is not known`;
    }
  }
  return applies ? undefined : "not-now";
}

/** Patterns as ssh has them: `*` for anything, `?` for one character. */
function matchesNamespace(pattern: string): boolean {
  const escaped = pattern.replace(/[^A-Za-z0-9*?]/g, "\\$&");
  const expression = escaped.replace(/\*+/g, ".*").replace(/\?/g, ".");
  return pattern.length <= 100 && new RegExp(`^${expression}$`).test(NAMESPACE);
}

/** `YYYYMMDD[HHMM[SS]][Z]`, in local time without the Z. */
function timeOf(text: string): number {
  const match = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(Z?)$/.exec(text);
  if (match === null) throw new MalformedError(`${JSON.stringify(text)} is not a time`);
  const [, year, month, day, hour = "00", minute = "00", second = "00", zone = ""] = match;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  if (Number.isNaN(time)) throw new MalformedError(`${JSON.stringify(text)} is not a time`);
  return time;
}
