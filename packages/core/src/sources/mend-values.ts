import { splitFrontmatter } from "../format/text/split-frontmatter.ts";
import { isSurelyBroken, repairFindings, repairYaml } from "../format/yaml/repair-yaml.ts";
import type { MendedHead } from "./mend-keys.ts";

const MAX_LENGTH = 4096;

/** A head whose broken values are quoted. Undefined when nothing is surely broken, or when it takes the parser to know. */
export function mendValues(text: string): MendedHead | undefined {
  const split = text.length > MAX_LENGTH ? undefined : splitFrontmatter(text);
  if (split?.found !== "both") return undefined;
  const { start, end } = split.parts;
  const yaml = text.slice(start, end);
  let isSure = isSurelyBroken(yaml);
  const repaired = isSure ? repairYaml(yaml, () => (isSure = false)) : undefined;
  if (repaired === undefined || !isSure) return undefined;
  const mended = text.slice(0, start) + repaired.text + text.slice(end);
  return { text: mended, findings: repairFindings(repaired, start) };
}
