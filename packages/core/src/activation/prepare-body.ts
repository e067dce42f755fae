import type { ParsedSkill } from "../format/parsed-skill.ts";
import { promptText } from "../internal/frame.ts";
import { type BodyLimits, fitBody, type FittedBody } from "./fit-body.ts";
import { substituteArguments } from "./substitute-arguments.ts";

/** Stands for a line break in what a person typed; no body has one. */
const BREAK = "\0";

/**
 * A skill's body as it is shown, with what a person typed behind its name in its place. That keeps
 * the lines of the body where they are in the file, so that the outline of a long one is right.
 * What has no place in the part that is shown follows it.
 */
export function prepareBody(
  skill: ParsedSkill,
  typed: string | undefined,
  limits: BodyLimits,
): FittedBody {
  const body = promptText(skill.body);
  if (typed === undefined) return fitBody(body, skill.bodyLine, limits);
  const value = promptText(typed);
  const { text, placed } = substituteArguments(body, value, skill.extra["arguments"], (part) =>
    part.replaceAll("\n", BREAK),
  );
  const fitted = fitBody(text, skill.bodyLine, limits);
  const shown = { ...fitted, text: fitted.text.replaceAll(BREAK, "\n") };
  if (value.trim() === "" || (placed && fitted.rest === undefined)) return shown;
  const said = `Arguments: ${value.slice(0, limits.maxBytes)}`;
  return { ...shown, text: `${shown.text.trimEnd()}\n\n${said}\n` };
}
