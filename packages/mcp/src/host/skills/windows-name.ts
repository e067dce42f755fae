const FORBIDDEN = /[:*?"<>|]/;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Why Windows cannot keep a file of this path, which is fine elsewhere. */
export function windowsNameProblem(path: string): string | undefined {
  for (const segment of path.split("/")) {
    const [character] = FORBIDDEN.exec(segment) ?? [];
    if (character !== undefined) return `Windows has no names with ${character}`;
    if (/[. ]$/.test(segment)) return "Windows has no names that end with a dot or a space";
    if (RESERVED.test(segment)) return "Windows keeps this name for a device";
  }
  return undefined;
}
