import { isAbsolute } from "node:path";
import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import { sourceFailure } from "../source-failure.ts";
import { parseGitUrl, parseShorthand } from "./parse-git-source.ts";
import { parseLocalSource } from "./parse-local-source.ts";
import { parseNpmSource } from "./parse-npm-source.ts";
import { parseDirectUrl, parseWebSource } from "./parse-web-source.ts";
import type { ParsedSource, ParseOptions } from "./parsed-source.ts";

const MAX_LENGTH = 4096;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const LOCAL = /^(?:\.{1,2}|~)(?:[/\\]|$)/;
const GIT_SCHEME = /^(?:git\+(?:https?|ssh|file)|ssh|git|file):\/\//i;
const WEB_SCHEME = /^https?:\/\//i;
const SCP = /^[^/:@]+@[^/:@]+:(?!\/\/)/;
const ARCHIVE = /\.(?:zip|skill|tgz|tar\.gz)$/i;

/**
 * Understands what a person typed as the place of a pack. Never throws; what could be an option, a
 * transport of git that runs programs, or a control sequence is refused here.
 */
export function parseSource(text: string, options: ParseOptions): ParsedSource | PackFailure {
  const source = text.trim();
  if (source === "") return invalid("the source is empty");
  if (source.length > MAX_LENGTH) return invalid("the source is too long");
  if (CONTROLS.test(source)) return invalid("the source has control characters");
  if (source.startsWith("-")) return invalid(`“${foreignText(source)}” is an option, no source`);
  if (source.startsWith("npm:")) return parseNpmSource(source.slice("npm:".length));
  if (source.startsWith("url:")) return parseDirectUrl(source.slice("url:".length));
  if (source.startsWith("github:")) return parseShorthand(source.slice("github:".length));
  if (LOCAL.test(source) || isAbsolute(source)) return parseLocalSource(source, options);
  if (WEB_SCHEME.test(source)) return parseWebSource(source);
  if (GIT_SCHEME.test(source) || SCP.test(source)) return parseGitUrl(source);
  if (/^[^/]*:/.test(source)) {
    return invalid(`“${foreignText(source)}” is no source that is known`);
  }
  return parsePlainName(source, options);
}

/** A folder or file of that name comes before a repository. */
function parsePlainName(text: string, options: ParseOptions): ParsedSource | PackFailure {
  const local = parseLocalSource(`./${text}`, options);
  const shorthand = parseShorthand(text);
  if (local.ok) {
    if (!shorthand.ok) return local;
    const note = `took ${local.source}, which is here; github:${text} names the repository`;
    return { ...local, notes: [...local.notes, note] };
  }
  if (shorthand.ok && !ARCHIVE.test(text)) return shorthand;
  return !text.includes("/") || ARCHIVE.test(text) ? local : shorthand;
}

function invalid(message: string): PackFailure {
  return sourceFailure("source-invalid", message, {
    hint:
      "Give a folder, an archive (.zip, .skill, .tar.gz), owner/repo, a git URL, npm:name, " +
      "an https URL of an archive, or a site with a well-known index.",
  });
}
