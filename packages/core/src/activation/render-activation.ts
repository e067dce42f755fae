import { frameParts, promptLine } from "../internal/frame.ts";
import { escapeXml } from "../internal/text.ts";
import type { CheckedRequirement } from "./check-requirements.ts";
import type { FittedBody } from "./fit-body.ts";

export interface ActivationParts {
  readonly name: string;
  readonly source: string;
  readonly digest: string;
  /** Where the skill's files are; absent for skills defined in code. */
  readonly location?: string;
  readonly body: FittedBody;
  readonly files: readonly { readonly path: string; readonly size?: number }[];
  /** There are more files than these. */
  readonly moreFiles?: boolean | undefined;
  readonly compatibility?: string;
  readonly requirements: readonly CheckedRequirement[];
  /** The skill was active with another content before. */
  readonly changed: boolean;
}

const MAX_FILES = 50;

/** Level 2: the instructions of a skill in a frame that says whose they are. */
export function renderActivation(parts: ActivationParts): string {
  const { name, source, digest, location, body, changed } = parts;
  const sections = [
    changed ? "This skill has changed; what follows replaces its earlier instructions." : "",
    needs(parts),
    body.text.trim() === "" && body.rest === undefined
      ? "This skill has no instructions besides its description."
      : body.text,
    rest(body),
    fileList(parts),
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
  const { startLine, endLine } = left;
  const lines = outline.map(
    ({ level, title, line, endLine: end }) =>
      `${"  ".repeat(Math.min(level, 4) - 1)}- lines ${line}-${end}: ${oneLine(title)}`,
  );
  const place =
    left.startByte === undefined ? "" : ` (of line ${startLine} from byte ${left.startByte} on)`;
  const head = `The rest of SKILL.md, lines ${startLine}-${endLine}${place}, is not shown. Read what you need of it by its lines:`;
  return [head, ...lines].join("\n");
}

function fileList({ files, moreFiles = false }: ActivationParts): string {
  if (files.length === 0) return "";
  const listed = files.slice(0, MAX_FILES);
  const lines = listed.map(({ path, size }) =>
    size === undefined ? oneLine(path) : `${oneLine(path)} (${size} bytes)`,
  );
  const more = files.length - listed.length;
  const last = moreFiles ? [`and more than ${more} more`] : more > 0 ? [`and ${more} more`] : [];
  return frameParts("skill_files", {}, [...lines, ...last]);
}

function withoutTags(text: string): string {
  return oneLine(text).replaceAll("<", "&lt;");
}

function oneLine(text: string): string {
  return promptLine(text).slice(0, 500);
}
