import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import { sourceFailure } from "../source-failure.ts";
import type { NpmSource } from "./parsed-source.ts";
import { parseFragment, splitFragment } from "./source-suffix.ts";

const NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i;
const MAX_NAME_LENGTH = 214;
/** Versions, ranges and tags. Without `/` and `:` it cannot be a folder, URL or alias. */
const RANGE = /^[a-z0-9.^~<>=|*+_ -]+$/i;
/** npm takes a name that ends so for a file. */
const FILE = /\.(?:tgz|tar|tar\.gz)$/i;

/** `name[@range][#@skill]`. */
export function parseNpmSource(text: string): NpmSource | PackFailure {
  const [spec, fragment] = splitFragment(text);
  const suffix = parseFragment(fragment);
  if ("ok" in suffix) return suffix;
  const at = spec.indexOf("@", 1);
  const name = at < 0 ? spec : spec.slice(0, at);
  const range = at < 0 ? "" : spec.slice(at + 1).trim();
  if (!NAME.test(name) || FILE.test(name) || name.length > MAX_NAME_LENGTH) {
    return invalid(`“${foreignText(name)}” is no name of a package`);
  }
  if (suffix.ref !== undefined || (range !== "" && !RANGE.test(range)) || range.startsWith("-")) {
    return invalid(`“${foreignText(suffix.ref ?? range)}” is no version, range or tag`);
  }
  return {
    ok: true,
    kind: "npm",
    source: name,
    notes: [],
    ...(range !== "" && { ref: range }),
    ...(suffix.skill !== undefined && { skill: suffix.skill }),
  };
}

function invalid(message: string): PackFailure {
  return sourceFailure("source-invalid", message, {
    hint: "Write npm:name, npm:name@1.2.3, npm:@scope/name@^1 or npm:name#@skill.",
  });
}
