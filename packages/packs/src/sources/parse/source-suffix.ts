import { nameProblem } from "@skillwright/core/internal";
import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import { sourceFailure } from "../source-failure.ts";

/** What may follow a source: `#ref`, `#ref@skill`, `#@skill`. */
export interface SourceSuffix {
  readonly ref?: string;
  readonly skill?: string;
}

const MAX_NAME_LENGTH = 64;
const MAX_REF_LENGTH = 255;
const NOT_IN_REF = /[\s~^:?*[\\]|\.\.|@\{|\/\/|\.lock(?:\/|$)|\/\.|[./]$|^[-/.]/;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/;

/** The last `#` begins it: within a ref or path it is written `%23`. */
export function splitFragment(text: string): readonly [base: string, fragment: string] {
  const at = text.lastIndexOf("#");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** `@` is also in tags such as `pkg@1.2.0`: only what could name a skill is taken for one. */
export function splitSkill(text: string): readonly [rest: string, skill: string | undefined] {
  const at = text.lastIndexOf("@");
  const skill = decodePart(text.slice(at + 1)).toLowerCase();
  if (at < 0 || skill.length > MAX_NAME_LENGTH || nameProblem(skill) !== undefined) {
    return [text, undefined];
  }
  return [text.slice(0, at), skill];
}

/** `repo.git@skill` and `repo.git//folder@skill`; an `@` elsewhere in an address is a user's. */
export function splitRepositorySkill(
  place: string,
): readonly [rest: string, skill: string | undefined] {
  return /\.git\/?(?:\/\/[^@]*)?@[^@/]+$/i.test(place) ? splitSkill(place) : [place, undefined];
}

export function parseFragment(fragment: string): SourceSuffix | PackFailure {
  const [rest, skill] = splitSkill(fragment);
  const ref = decodePart(rest);
  if (ref !== "" && !isRef(ref)) {
    return sourceFailure("source-invalid", `“${foreignText(ref)}” is no branch, tag or commit`);
  }
  // HEAD is what is taken when nothing is asked for.
  const isGiven = ref !== "" && ref !== "HEAD";
  return { ...(isGiven && { ref }), ...(skill !== undefined && { skill }) };
}

/** A text that git takes for a name and never for an option, pattern or expression. */
export function isRef(text: string): boolean {
  return text.length <= MAX_REF_LENGTH && !NOT_IN_REF.test(text) && !CONTROLS.test(text);
}

/** A folder within a pack: `a/b`, without a way out of it. Empty for the pack itself. */
export function parseFolder(text: string): { readonly path: string } | PackFailure {
  const path = decodePart(text).replace(/^\.\/|\/+$/g, "");
  const isPlain =
    path === "" ||
    path
      .split("/")
      .every((part) => part !== "" && part !== "." && part !== ".." && part !== ".git");
  if (isPlain && !path.includes("\\") && !CONTROLS.test(path)) return { path };
  return sourceFailure("source-invalid", `“${foreignText(path)}” is no folder of a pack`, {
    hint: "Name a folder by its path from the root of the pack, without “..”.",
  });
}

/** Makes what would end a ref or path part of it. The inverse of `decodePart`. */
export function encodePart(text: string): string {
  return text.replace(/[%#@]/g, (sign) => encodeURIComponent(sign));
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
