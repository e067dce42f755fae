import type { YamlValue } from "../format/yaml/yaml-node.ts";

/**
 * Puts what a person typed behind a skill's name into its body: `$ARGUMENTS` is all of it, and a
 * declared name (`arguments: issue branch`) the word in its place. Taken literally, and once: what is
 * put in is not looked through again. `write` says how a value stands in the body.
 */
export function substituteArguments(
  body: string,
  typed: string,
  declared: YamlValue | undefined,
  write: (value: string) => string = (value) => value,
): { readonly text: string; readonly placed: boolean } {
  const words = splitWords(typed);
  const values = new Map<string, string>([["ARGUMENTS", typed]]);
  for (const [i, name] of namesOf(declared).entries()) values.set(name, words[i] ?? "");
  let placed = false;
  const text = body.replace(
    /\$(?:\{(\w+)\}|([A-Za-z_]\w*))/g,
    (match, braced?: string, bare?: string) => {
      const value = values.get(braced ?? bare ?? "");
      if (value === undefined) return match;
      placed = true;
      return write(value);
    },
  );
  return { text, placed };
}

function namesOf(declared: YamlValue | undefined): string[] {
  const names = typeof declared === "string" ? declared.split(/[\s,]+/) : declared;
  if (!Array.isArray(names)) return [];
  return names.filter(
    (name): name is string => typeof name === "string" && /^[A-Za-z_]\w*$/.test(name),
  );
}

/** At blanks, but not between quotes. */
function splitWords(typed: string): string[] {
  return Array.from(
    typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}
