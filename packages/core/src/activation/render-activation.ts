import { frameParts, promptLine } from "../internal/frame.ts";
import { escapeXml } from "../internal/text.ts";
import type { CheckedRequirement } from "./check-requirements.ts";
import type { FittedBody } from "./body.ts";

export interface ActivationParts {
  readonly name: string;
  readonly source: string;
  readonly digest: string;
  /** Where the skill's files are; absent for skills defined in code. */
  readonly location?: string;
  readonly body: FittedBody;
  /** What the list of files says; see `fileListLines`. */
  readonly fileLines: readonly string[];
  readonly compatibility?: string;
  readonly requirements: readonly CheckedRequirement[];
  /** The skill was active with another content before. */
  readonly changed: boolean;
}

/** Level 2: the instructions of a skill in a frame that says whose they are. */
export function renderActivation(parts: ActivationParts): string {
  const { name, source, digest, location, body, fileLines, changed } = parts;
  const sections = [
    changed ? "This skill has changed; what follows replaces its earlier instructions." : "",
    needs(parts),
    body.text.trim() === "" && body.rest === undefined
      ? "This skill has no instructions besides its description."
      : body.text,
    rest(body),
    fileLines.length === 0 ? "" : frameParts("skill_files", {}, fileLines),
  ].filter((section) => section !== "");
  return frameParts("skill_content", { name, source, digest, location }, [sections.join("\n\n")]);
}

function needs({ compatibility, requirements }: ActivationParts): string {
  const missing = requirements.filter(({ met }) => met !== "yes");
  const lines = [
    ...(compatibility === undefined ? [] : [`Compatibility: ${escapeXml(oneLine(compatibility))}`]),
    ...missing.map(
      ({ requirement, met, detail }) =>
        `${met === "no" ? "Missing" : "Not checked"}: ${withoutTags(requirement)} (${withoutTags(detail)})`,
    ),
  ];
  return lines.join("\n");
}

function rest({ outline, rest: left }: FittedBody): string {
  if (left === undefined) return "";
  const { startLine, endLine, startByte } = left;
  const place = startByte === undefined ? "" : ` (of line ${startLine} from byte ${startByte} on)`;
  const head = `The rest of SKILL.md, lines ${startLine}-${endLine}${place}, is not shown. Read what you need of it by its lines:`;
  return [head, ...outline].join("\n");
}

function withoutTags(text: string): string {
  return oneLine(text).replaceAll("<", "&lt;");
}

function oneLine(text: string): string {
  return promptLine(text).slice(0, 500);
}
